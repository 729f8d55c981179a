import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DOCUMENT_ID, ELEMENT_FLAGS, NAMESPACE, OP } from '../ops.ts';
import type { Batch } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import type { Node } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const svg = { namespace: NAMESPACE.svg };
const mathml = { namespace: NAMESPACE.mathml };
const CODE = 'parent.hacked = top.hacked = 1';

/** Builds a body and returns its markup. */
async function build(...body: Node[]): Promise<string> {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html(body));
  await view().feed(1, page.batch());
  const main = await view().main();
  return main.evaluate(() => document.body.innerHTML);
}

async function expectNothingRan(): Promise<void> {
  const last = await view().settled();
  expect(await view().page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(view().requests).toEqual([last]);
}

async function expectNothingHappened(): Promise<void> {
  await expectNothingRan();
  const frames = view()
    .page.frames()
    .map((frame) => new URL(frame.url()).pathname);
  expect(frames.filter((path) => path !== 'blank')).toEqual(['/', '/safeview-template/view/html-standards']);
}

it('[M-057] creates no scripts, embeds, applets or similar, and keeps the shape of the tree', async () => {
  const names = ['script', 'SCRIPT', 'embed', 'applet', 'base', 'noscript', 'fencedframe', 'portal', 'bad name', ''];
  const markup = await build(
    ...names.map((name) =>
      h(name, { src: 'http://127.0.0.1:9/x', href: '//x.test/', id: `n${name}` }, [h('b', {}, [CODE])]),
    ),
    h('script', {}, [CODE], svg),
    h('handler', {}, [CODE], svg),
    h('i', { id: 'last' }),
  );
  expect(markup).not.toMatch(/<(script|embed|applet|base|noscript|fencedframe)/i);
  expect(markup.match(/<v-blocked/g)?.length).toBeGreaterThanOrEqual(8);
  expect(markup).toContain('<i id="last"></i>');
  await expectNothingHappened();
});

it('[M-060] sets no attribute that runs, loads, sends or leads anywhere, nor referrer metadata', async () => {
  const away = 'http://127.0.0.1:9/away';
  const markup = await build(
    h('img', { onerror: CODE, src: away, srcset: `${away} 2x` }),
    h('img', { src: '//evil.test/c/i/x', ONERROR: CODE }),
    h('img', { src: '/c/../r/push' }),
    h('img', { src: '/safeview-fileserv/x', srcset: '/c/i/a, /r/push 2x' }),
    h('body', { onload: CODE, background: away }),
    h('iframe', { src: away, srcdoc: `<script>${CODE}</script>`, sandbox: 'allow-scripts', allow: 'camera' }),
    h('form', { action: `javascript:${CODE}`, target: '_top' }, [h('button', { formaction: `javascript:${CODE}` })]),
    h('meta', { 'http-equiv': 'refresh', content: '0;url=/x' }),
    h('meta', { name: 'referrer', content: 'unsafe-url' }),
    h('link', { rel: 'stylesheet preload preconnect', href: away, as: 'image', imagesrcset: away }),
    h('a', { href: `javascript:${CODE}`, ping: away, referrerpolicy: 'unsafe-url' }, ['x']),
    h('a', { href: ` java\nscript:${CODE}` }, ['x']),
    h('a', { href: 'data:text/html,x' }, ['x']),
    h('object', { data: away, type: 'text/html', codebase: away, width: '5', id: 'o', onload: CODE }),
    h('video', { src: away, poster: away, autoplay: '' }),
    h('input', { type: 'image', src: away, autofocus: '' }),
    h('button', { interestfor: 'x', commandfor: 'x', command: 'show-modal' }),
    h('v-x', { 'xml:base': away, nonce: 'x' }),
  );
  expect(markup).not.toMatch(
    /127\.0\.0\.1|evil|on(error|load)|javascript|srcdoc|http-equiv|referrer|preload|interestfor|show-modal|data:|safeview|push/i,
  );
  expect(markup).not.toMatch(/allow-scripts|camera|autofocus|autoplay|ping|xml:base|imagesrcset/);
  expect(markup).toContain('<object width="5" id="o"></object>');
  await expectNothingHappened();
});

it('lets no animation, reference or style of SVG and MathML lead anywhere', async () => {
  const away = 'http://127.0.0.1:9/away';
  const markup = await build(
    h(
      'svg',
      { onload: CODE },
      [
        h(
          'a',
          { 'xlink:href': `javascript:${CODE}`, id: 'a' },
          [
            h('animate', { attributeName: 'href', values: `javascript:${CODE}`, begin: '0s' }, [], svg),
            h('set', { attributeName: 'xlink:href', to: `javascript:${CODE}` }, [], svg),
            h('animate', { attributename: 'onclick', to: CODE }, [], svg),
            h('animate', { attributeName: 'opacity', values: '0;1' }, [], svg),
          ],
          svg,
        ),
        h('use', { href: `${away}#x` }, [], svg),
        h('image', { href: away }, [], svg),
        h('feImage', { 'xlink:href': away }, [], svg),
        h('foreignObject', {}, [h('iframe', { srcdoc: CODE })], svg),
        h('rect', { style: `fill:url(${away})`, fill: `url(${away}#x)`, width: '9', height: '9' }, [], svg),
      ],
      svg,
    ),
    h('math', { href: `javascript:${CODE}` }, [h('mi', { 'xlink:href': `javascript:${CODE}` }, ['x'], mathml)], mathml),
  );
  expect(markup).not.toMatch(/href="java|srcdoc|onload|attributeName="(href|xlink|on)/i);
  expect(markup).toContain('attributeName="opacity"');
  const main = await view().main();
  expect(await main.evaluate(() => document.querySelector('svg a')?.getAttribute('xlink:href'))).toBe('#');
  await expectNothingRan();
});

it('refuses the same when it arrives later, piece by piece', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('a', { id: 'a' }, ['x']),
        h('meta', { id: 'm', content: '0;url=/x' }),
        h('svg', {}, [h('animate', { id: 'n' }, [], svg)], svg),
        h('iframe', { id: 'f' }),
      ]),
    );
  page
    .attribute('a', 'href', 'JaVaScRiPt:1')
    .attribute('a', 'onclick', CODE)
    .attribute('m', 'http-equiv', 'refresh')
    .attribute('m', 'name', 'referrer')
    .attribute('n', 'attributeName', 'href')
    .attribute('f', 'srcdoc', CODE)
    .attribute('f', 'src', 'javascript:1')
    .attribute('f', 'sandbox', undefined);
  page
    .op(OP.picture, page.id('a'), page.text('javascript:1'))
    .op(OP.sheet, page.id('a'), 1, page.text('@import "//x.test/";'), -1, 0);
  await view().feed(1, page.batch());
  const main = await view().main();
  const markup = await main.evaluate(() => document.body.innerHTML);
  expect(markup).toContain('<a id="a" href="#">x</a><meta id="m" content="0;url=/x">');
  expect(markup).toMatch(/<animate id="n"><\/animate>/);
  expect(markup).toContain('<iframe sandbox="allow-same-origin" data-vitrine-frame="" id="f"></iframe>');
});

it('shows no picture whose address could end in its context', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(DOCUMENT_ID, 0, html(['a', 'b', 'c'].map((id) => h(id === 'c' ? 'img' : 'object', { id, width: '30' }))));
  const gif = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
  for (const id of ['a', 'c']) page.op(OP.picture, page.id(id), page.text(`${gif}#")url("/c/i/pic.x`));
  page.op(OP.picture, page.id('b'), page.text(gif));
  await view().feed(1, page.batch());
  const main = await view().main();
  const rules = (): Promise<string> =>
    main.evaluate(() =>
      document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join('\n'),
    );
  await eventually(rules).toContain(`content: url("${gif}")`);
  expect(await rules()).not.toContain('pic.x');
  expect(await main.evaluate(() => document.getElementById('c')?.getAttribute('src'))).toBeNull();
});

it('[M-058] does not follow links, toggle boxes, open summaries, send forms or accept drops natively', async () => {
  await build(
    h('style', { id: 's' }),
    ...[
      h('a', { id: 'link', href: '/https://site.test/' }, ['link']),
      h('label', { id: 'label' }, ['label', h('input', { type: 'checkbox', id: 'box' })]),
      h('details', { id: 'details' }, [h('summary', { id: 'summary' }, ['sum']), 'more']),
      h('form', { id: 'form' }, [h('button', { id: 'button' }, ['go'])]),
    ].map((element) => h('p', {}, [element])),
  );
  const main = await view().main();
  for (const id of ['link', 'label', 'box', 'summary', 'button']) await main.click(`#${id}`);
  await main.click('#link', { button: 'middle' });
  await main.focus('#link');
  await view().page.keyboard.press('Enter');
  const isSent = await main.evaluate(() =>
    document.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })),
  );
  expect(isSent).toBe(false);
  expect(
    await main.evaluate(() => [
      (document.getElementById('box') as HTMLInputElement).checked,
      (document.getElementById('details') as HTMLDetailsElement).open,
    ]),
  ).toEqual([false, false]);
  expect(view().page.context().pages()).toHaveLength(1);
  await expectNothingHappened();
});

it('[L2] follows no link around a control that the person changes here', async () => {
  const controls: readonly (readonly [string, Record<string, string>])[] = [
    ['select', {}],
    ['input', { type: 'date' }],
    ['input', { type: 'range' }],
    ['video', { width: '200', height: '100' }],
  ];
  const link = (name: string, attributes: Record<string, string>, at: number) =>
    h('p', {}, [h('a', { href: '/https://site.test/' }, [h(name, { ...attributes, id: `c${at}` })])]);
  await build(
    ...controls.map(([name, attributes], at) => link(name, attributes, at)),
    h(
      'svg',
      { width: '200', height: '100' },
      [
        h(
          'a',
          { href: '/https://site.test/' },
          [h('foreignObject', { width: '200', height: '100' }, [h('select', { id: 'c4' })], svg)],
          svg,
        ),
      ],
      svg,
    ),
    h('p', {}, [h('select', { id: 'free' })]),
  );
  const main = await view().main();
  await view().page.evaluate(() => {
    window.frames[0]?.document.addEventListener('click', ({ defaultPrevented }) => {
      document.documentElement.dataset['prevented'] = String(defaultPrevented);
    });
  });
  for (let at = 0; at <= controls.length; at += 1) {
    await main.click(`#c${at}`);
    await view().page.keyboard.press('Escape'); // a list or a picker that has opened
  }
  await expectNothingHappened();
  await main.click('#free');
  expect(await view().page.evaluate(() => document.documentElement.dataset['prevented'])).toBe('false');
});

it('is not misled by names that the page sets', async () => {
  const names = [
    'setAttribute',
    'parentNode',
    'removeChild',
    'nodeType',
    'localName',
    'insertBefore',
    'firstChild',
    'namespaceURI',
    'shadowRoot',
    'getRootNode',
  ];
  const clobbered = [
    'documentElement',
    'createElement',
    'body',
    'adoptedStyleSheets',
    'defaultView',
    'activeElement',
    'host',
    'contentType',
    'URL',
    'compatMode',
  ];
  const page = new PageWriter(1);
  page.doc().insert(
    DOCUMENT_ID,
    0,
    html([
      h(
        'form',
        { id: 'form' },
        names.map((name) => h('input', { name })),
      ),
      ...clobbered.map((name) => h('img', { name })),
      h('style', { id: 'style' }),
    ]),
  );
  const first = page.batch();
  page
    .attribute('form', 'class', 'x')
    .insert(page.id('form'), 0, h('x-late', { id: 'late' }))
    .sheet('style', 'form{color:rgb(5,5,5)}')
    .op(OP.focus, page.id('form') + 1, 1)
    .op(OP.scroll, DOCUMENT_ID, 0, 64)
    .op(OP.move, page.id('form'), page.id('body'), 0);
  await view().feed(1, first, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => {
      const form = document.querySelector('form') as HTMLFormElement;
      return [
        getComputedStyle(form).color,
        document.querySelector('x-late') !== null,
        form.className,
        form === document.querySelector('body > :last-child'),
      ];
    }),
  ).toEqual(['rgb(5, 5, 5)', true, 'x', true]);
  const [at] = await main.$$eval('input', (inputs) =>
    inputs.map((input) => input.getBoundingClientRect().toJSON() as DOMRect),
  );
  await view().page.mouse.click((at?.x ?? 0) + 3, (at?.y ?? 0) + 3);
  expect(await view().page.evaluate(() => window.harness.clicks[0]?.node)).toBe(page.id('form') + 1);
  page.op(OP.remove, page.id('form'));
  const next = new PageWriter(2);
  await view().feed(1, page.batch());
  await view().feed(
    1,
    next
      .doc()
      .insert(DOCUMENT_ID, 0, html(['fresh']))
      .batch(),
  );
  expect(await (await view().main()).evaluate(() => document.documentElement.textContent)).toBe('fresh');
  expect(await view().page.evaluate(() => window.harness.warnings)).toEqual([]);
});

const STRINGS = [
  'div',
  'script',
  'iframe',
  'style',
  'form',
  'a',
  'svg',
  'x-a',
  'href',
  'src',
  'is',
  'popover',
  'open',
  'dialog',
  'select',
  'javascript:1',
  'input',
  'canvas',
  '',
  'video',
  'onclick',
  '/c/i/x',
  '{',
  'body',
];
const integer = fc.oneof(fc.integer({ min: -1, max: 30 }), fc.integer({ min: -2, max: 5 }), fc.maxSafeInteger());
const op = fc
  .tuple(fc.integer({ min: 0, max: Math.max(...Object.values(OP)) + 1 }), fc.array(integer, { maxLength: 24 }))
  .map(([code, rest]) => [code, ...rest]);
const element: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => ({
  node: fc
    .tuple(
      fc.constantFrom(...STRINGS),
      fc.dictionary(fc.constantFrom(...STRINGS), fc.constantFrom(...STRINGS), { maxKeys: 3 }),
      fc.array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constantFrom(...STRINGS), tie('node')), {
        maxLength: 4,
      }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([name, attributes, children, namespace, hasShadow, flags]) =>
      h(name, attributes, children, {
        namespace,
        flags: flags & ELEMENT_FLAGS.undefined,
        ...(hasShadow ? { shadow: { flags, children: ['x'] } } : {}),
      }),
    ),
})).node;

it('applies any sequence of ops without an error, and continues', async () => {
  let epoch = 100;
  await fc.assert(
    fc.asyncProperty(
      fc.array(element, { maxLength: 4 }),
      fc.array(op, { maxLength: 30 }),
      fc.boolean(),
      async (nodes, ops, isNew) => {
        const page = new PageWriter(++epoch);
        page.doc(epoch % 3, 0).insert(DOCUMENT_ID, 0, html(nodes));
        const first = page.batch();
        const hostile: Batch = { epoch, seq: 2, more: isNew, strings: STRINGS, ops };
        const last: Batch = { epoch, seq: 3, more: false, strings: [], ops: [] };
        // An op that starts a new document, first in its batch, resets the frame; later batches then continue.
        await view().feed(1, first, hostile, last);
      },
    ),
    { numRuns: 60, seed: 7 },
  );
  expect(await view().page.evaluate(() => 'hacked' in window)).toBe(false);
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html(['still here']));
  await view().feed(1, page.batch());
  await eventually(async () => (await view().main()).evaluate(() => document.body.textContent)).toBe('still here');
});
