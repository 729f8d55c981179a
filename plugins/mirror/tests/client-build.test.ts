import { expect, it } from 'vitest';
import type { Batch } from '../ops.ts';
import { DOCUMENT_ID, ELEMENT_FLAGS, NAMESPACE, OP, SHADOW_FLAGS } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const svg = { namespace: NAMESPACE.svg };

it('[M-001] builds a document from its first batch: elements of all namespaces, attributes, text', async () => {
  const page = new PageWriter(7);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('p', { id: 'p', class: 'a b', 'data-x': '1' }, ['Hello ', h('b', {}, ['world'])]),
        h(
          'svg',
          { id: 's', viewBox: '0 0 10 10' },
          [h('linearGradient', { id: 'g' }, [], svg), h('use', { 'xlink:href': '#g' }, [], svg)],
          svg,
        ),
        h('math', {}, [h('mi', {}, ['x'], { namespace: NAMESPACE.mathml })], { namespace: NAMESPACE.mathml }),
        h('o:p', {}, ['office']),
        h('a', { href: '/https://site.test/next', id: 'a' }, ['next']),
      ]),
    );
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(await main.evaluate(() => document.documentElement.outerHTML)).toBe(
    '<html><head></head><body id="body"><p id="p" class="a b" data-x="1">Hello <b>world</b></p>' +
      '<svg id="s" viewBox="0 0 10 10"><linearGradient id="g"></linearGradient><use xlink:href="#g"></use></svg>' +
      '<math><mi>x</mi></math><o:p>office</o:p><a href="/https://site.test/next" id="a">next</a></body></html>',
  );
  expect(
    await main.evaluate(() => [
      document.querySelector('use')?.href.baseVal,
      document.querySelector('math')?.namespaceURI,
    ]),
  ).toEqual(['#g', 'http://www.w3.org/1998/Math/MathML']);
  expect(await view().page.evaluate(() => window.harness.sent)).toEqual([
    { name: 'mirror.applied', params: { frame: 1, epoch: 7, seq: 1 } },
  ]);
});

it('[M-001] [M-100] removes, moves and changes nodes, and ignores unknown ids', async () => {
  const page = new PageWriter(1);
  const item = (id: string) => h('li', { id }, [id]);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([h('ul', { id: 'list' }, [item('a'), item('b'), item('c')]), h('p', { id: 'p' }, ['x'])]),
    );
  const first = page.batch();
  const text = page.id('p') + 1;
  page
    .op(OP.move, page.id('c'), page.id('list'), page.id('a'))
    .op(OP.remove, 9999, page.id('b'), 9998)
    .attribute('p', 'title', 'now')
    .op(OP.text, text, page.text('y'))
    .insert(page.id('list'), page.id('a'), item('d'))
    // All of these name nodes that are removed or never existed.
    .op(OP.text, page.id('b') + 1, page.text('gone'))
    .op(OP.move, page.id('a'), 9999, 0)
    .op(OP.move, page.id('c'), page.id('list'), page.id('b'))
    .op(OP.attribute, 9999, page.text('x'), page.text('y'))
    .insert(9999, 0, item('lost'))
    .insert(page.id('list'), page.id('b'), item('e'));
  await view().feed(1, first, page.batch());
  const main = await view().main();
  expect(await main.evaluate(() => document.body.innerHTML)).toBe(
    '<ul id="list"><li id="d">d</li><li id="a">a</li><li id="c">c</li><li id="e">e</li></ul><p id="p" title="now">y</p>',
  );
  page.attribute('p', 'title', undefined);
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => document.getElementById('p')?.outerHTML)).toBe('<p id="p">y</p>');
});

it('[M-001] rebuilds shadow trees, open and closed, with slots and their own sheets', async () => {
  const page = new PageWriter(1);
  const shadow = {
    children: [h('style', { id: 'inner' }), h('slot'), h('b', { id: 'deep' }, ['in'])],
    flags: SHADOW_FLAGS.closed,
  };
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([h('div', { id: 'host' }, ['out', h('i', {}, ['side'])], { shadow }), h('b', { id: 'plain' })]),
    )
    .sheet('inner', ':host{color:rgb(1,2,3)} b{color:rgb(4,5,6)} ::slotted(i){color:rgb(7,8,9)}');
  page.op(OP.define, 500, page.text('b{font-size:33px}'), page.text(''), 0).op(OP.adopt, page.id('#host'), 500);
  page.insert(page.id('#host'), 0, h('u', { id: 'late' }));
  await view().feed(1, page.batch());
  const main = await view().main();
  const styles = await main.evaluate(() => {
    const host = document.getElementById('host') as HTMLElement;
    const inner = host.shadowRoot?.querySelector('b') as HTMLElement;
    return [host, inner, host.querySelector('i') as HTMLElement]
      .map((element) => getComputedStyle(element).color)
      .concat(
        getComputedStyle(inner).fontSize,
        getComputedStyle(document.getElementById('plain') as HTMLElement).fontSize,
      );
  });
  expect(styles).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)', 'rgb(7, 8, 9)', '33px', '16px']);
  expect(await main.evaluate(() => document.getElementById('host')?.shadowRoot?.lastElementChild?.id)).toBe('late');
});

it('[M-001] rebuilds how a shadow tree passes focus on and fills its slots', async () => {
  const page = new PageWriter(1);
  const hosts = [0, SHADOW_FLAGS.delegatesFocus, SHADOW_FLAGS.manualSlots].map((flags) =>
    h('div', {}, [], { shadow: { flags, children: [h('slot')] } }),
  );
  page.doc().insert(DOCUMENT_ID, 0, html(hosts));
  await view().feed(1, page.batch());
  const roots = await (
    await view().main()
  )
    .locator('div')
    .evaluateAll((all) => all.map(({ shadowRoot }) => [shadowRoot?.delegatesFocus, shadowRoot?.slotAssignment]));
  expect(roots).toEqual([
    [false, 'named'],
    [true, 'named'],
    [false, 'manual'],
  ]);
});

it('[M-001] orders sheets by the position of their owners, adopted ones last, and follows every change', async () => {
  const page = new PageWriter(1);
  const colour = async (): Promise<string> => {
    await view().feed(1, page.batch());
    const main = await view().main();
    return main.evaluate(() => getComputedStyle(document.body).color);
  };
  page
    .doc()
    .insert(DOCUMENT_ID, 0, html([], [h('style', { id: 'one' }), h('link', { id: 'two' })]))
    .sheet('two', 'body{color:rgb(2,0,0)}')
    .sheet('one', 'body{color:rgb(1,0,0)}');
  expect(await colour()).toBe('rgb(2, 0, 0)');
  page.op(OP.move, page.id('two'), page.id('body') - 3, page.id('one'));
  expect(await colour()).toBe('rgb(1, 0, 0)');
  page.sheet('one', 'body{color:rgb(3,0,0)}');
  expect(await colour()).toBe('rgb(3, 0, 0)');
  page.sheet('one', 'body{color:rgb(3,0,0)}', 'print');
  expect(await colour()).toBe('rgb(2, 0, 0)');
  page.sheet('two', 'body{color:rgb(2,0,0)}', '', true);
  expect(await colour()).toBe('rgb(0, 0, 0)');
  page.op(OP.define, 70, page.text('body{color:rgb(70,0,0)}'), page.text(''), 0).op(OP.adopt, DOCUMENT_ID, 70, 71);
  page.sheet('one', 'body{color:rgb(1,0,0)}').sheet('two', 'body{color:rgb(2,0,0)}');
  expect(await colour()).toBe('rgb(70, 0, 0)');
  page.op(OP.adopt, DOCUMENT_ID).op(OP.remove, page.id('one'));
  expect(await colour()).toBe('rgb(2, 0, 0)');
  page.op(OP.sheet, page.id('two'), 0, -1, -1, 0);
  expect(await colour()).toBe('rgb(0, 0, 0)');
});

it('[R-055] leaves a sheet of the client’s input behind those of the page, whatever these do', async () => {
  const page = new PageWriter(1);
  const seen = async (): Promise<(string | number)[]> => {
    await view().feed(1, page.batch());
    const main = await view().main();
    return main.evaluate(() => {
      const { color, cursor } = getComputedStyle(document.body);
      return [color, cursor, document.adoptedStyleSheets.length];
    });
  };
  page
    .doc()
    .insert(DOCUMENT_ID, 0, html([], [h('style', { id: 'one' })]))
    .sheet('one', 'body{color:rgb(1,0,0);cursor:text}');
  expect(await seen()).toEqual(['rgb(1, 0, 0)', 'text', 2]);
  const main = await view().main();
  await main.evaluate(() => {
    const sheet = Object.assign(new CSSStyleSheet(), { stays: true });
    sheet.replaceSync('body{cursor:wait}');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  page.op(OP.define, 70, page.text('body{color:rgb(70,0,0);cursor:help}'), page.text(''), 0);
  page.op(OP.adopt, DOCUMENT_ID, 70);
  expect(await seen()).toEqual(['rgb(70, 0, 0)', 'wait', 4]);
  page.op(OP.adopt, DOCUMENT_ID).op(OP.remove, page.id('one'));
  expect(await seen()).toEqual(['rgb(0, 0, 0)', 'wait', 2]);
});

it('[M-001] keeps custom elements undefined until the page defines them, with their states', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('x-known', { id: 'known' }),
        h('x-later', { id: 'later' }, [], { flags: ELEMENT_FLAGS.undefined }),
        h('button', { id: 'built-in', is: 'x-button' }),
      ]),
    );
  page.op(OP.states, page.id('known'), page.text('ready'), page.text('wide'));
  await view().feed(1, page.batch());
  const main = await view().main();
  const matches = (selector: string): Promise<string[]> =>
    main.evaluate((css) => [...document.querySelectorAll(css)].map((element) => element.id), selector);
  expect(await matches('body :defined')).toEqual(['known', 'built-in']);
  expect(await matches(':state(ready):state(wide)')).toEqual(['known']);
  page.op(OP.defined, page.id('later'), 1).op(OP.states, page.id('known'), page.text('wide'));
  await view().feed(1, page.batch());
  expect(await matches('body :defined')).toEqual(['known', 'later', 'built-in']);
  expect(await matches(':state(ready)')).toEqual([]);
});

it('[M-001] defines custom built-in elements in documents of other kinds, too', async () => {
  const page = new PageWriter(1);
  const button = h('button', { id: 'built-in', is: 'x-button' });
  page.doc(0, 2).insert(DOCUMENT_ID, 0, h('svg', {}, [h('foreignObject', {}, [button], svg)], svg));
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(await main.evaluate(() => document.querySelector('button')?.matches(':defined'))).toBe(true);
});

it.each([
  [0, 0, 'CSS1Compat', 'html', 'text/html'],
  [1, 0, 'CSS1Compat', 'html', 'text/html'],
  [2, 0, 'BackCompat', 'html', 'text/html'],
  [0, 1, 'CSS1Compat', 'html', 'application/xhtml+xml'],
  [0, 2, 'CSS1Compat', 'svg', 'image/svg+xml'],
])('[M-001] builds mode %i and kind %i in a document of the same', async (mode, kind, compat, root, type) => {
  const page = new PageWriter(1);
  const svgRoot = h('svg', { id: 'body', viewBox: '0 0 1 1' }, [h('rect', { width: '1', height: '1' }, [], svg)], svg);
  page.doc(mode, kind).insert(DOCUMENT_ID, 0, kind === 2 ? svgRoot : html(['x']));
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => [document.compatMode, document.documentElement.localName, document.contentType]),
  ).toEqual([compat, root, type]);
  expect(await view().page.evaluate(() => window.harness.reports)).toEqual([]);
});

it('shows no text of style elements, no controls of its own, and no replacement of a blocked element', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('style', { id: 's' }, ['body{color:rgb(9,9,9)}']),
        h('v-noscript', {}, ['no script']),
        h('noscript', { id: 'n' }, ['x']),
        h('video', { id: 'v', width: '100', height: '100' }),
        h('canvas', { id: 'c' }),
      ]),
    );
  page.op(OP.canvas, page.id('c'), 120, 50);
  const first = page.batch();
  page
    .op(OP.text, page.id('s') + 1, page.text('body{color:rgb(9,9,9)}'))
    .insert(page.id('s'), 0, 'body{color:rgb(9,9,9)}');
  page.op(OP.move, page.id('n') + 1, page.id('s'), 0);
  await view().feed(1, first, page.batch());
  const main = await view().main();
  expect(
    await main.evaluate(() => [getComputedStyle(document.body).color, document.getElementById('s')?.childNodes.length]),
  ).toEqual(['rgb(0, 0, 0)', 0]);
  expect(await main.evaluate(() => document.querySelector('v-noscript')?.getBoundingClientRect().width)).toBe(0);
  const canvas = await main.evaluate(() => document.getElementById('c')?.getBoundingClientRect().toJSON() as DOMRect);
  expect([canvas.width, canvas.height]).toEqual([120, 50]);
  page.op(OP.picture, page.id('c'), page.text('/c/i/pic.x'));
  await view().feed(1, page.batch());
  await eventually(() => main.evaluate(() => document.getElementById('c')?.getBoundingClientRect().width)).toBe(40);
});

it('shows pictures in objects, embeds and videos, in the given size or their own', async () => {
  const page = new PageWriter(1);
  const nodes = [
    h('object', { id: 'a', width: '30' }),
    h('object', { id: 'b' }, ['else']),
    h('v-embed', { id: 'c' }),
    h('video', { id: 'd' }),
  ];
  page.doc().insert(DOCUMENT_ID, 0, html(nodes));
  for (const id of ['a', 'b', 'c', 'd']) page.op(OP.picture, page.id(id), page.text('/c/i/pic.x'));
  await view().feed(1, page.batch());
  const main = await view().main();
  const widths = (): Promise<number[]> =>
    main.evaluate(() => ['a', 'b', 'c', 'd'].map((id) => document.getElementById(id)!.getBoundingClientRect().width));
  await eventually(widths).toEqual([30, 40, 40, 40]);
  page.op(OP.picture, page.id('b'), page.text(''));
  await view().feed(1, page.batch());
  expect(await main.evaluate(() => document.getElementById('b')!.innerText)).toBe('else');
});

it('gives the root of an SVG document the size of the object that shows it', async () => {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('object', { id: 'a', width: '80', height: '60' }), h('iframe')]));
  page.op(OP.frame, page.id('a'), 2).op(OP.frame, page.id('a') + 1, 3);
  await view().feed(1, page.batch());
  for (const frame of [2, 3]) {
    const inner = new PageWriter(frame).doc(0, 2);
    await view().feed(frame, inner.insert(DOCUMENT_ID, 0, h('svg', { width: '20', height: '20' }, [], svg)).batch());
  }
  const main = await view().main();
  const widths = (): Promise<(number | undefined)[]> =>
    main.evaluate(() =>
      [...document.querySelectorAll('iframe')].map(
        ({ contentDocument }) => contentDocument?.documentElement.getBoundingClientRect().width,
      ),
    );
  await eventually(widths).toEqual([80, 20]);
});

it('[M-059] lets an object have its listed attributes and no others', async () => {
  const listed = 'id class style width height name hspace vspace align title tabindex data-sv-src hidden'.split(' ');
  const others = 'data type border usemap form typemustmatch standby declare archive classid codebase code lang'.split(
    ' ',
  );
  const object = h('object', Object.fromEntries([...listed, ...others].map((name) => [name, '1'])));
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([object]));
  await view().feed(1, page.batch());
  const main = await view().main();
  const kept = await main.evaluate(() => document.querySelector('object')?.getAttributeNames().sort());
  expect(kept).toEqual(listed.toSorted());
});

it('builds many nodes in slices, in order, yielding to the browser', async () => {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('div', { id: 'root' })]));
  for (let chunk = 0; chunk < 6; chunk++)
    page.insert(
      page.id('root'),
      0,
      ...Array.from({ length: 4000 }, (_, at) => h('p', { class: 'row', title: `${chunk}` }, [`${at}`])),
    );
  const big = page.batch();
  page.op(OP.remove, page.id('root') + 1).attribute('root', 'title', 'done');
  await view().feed(1, new PageWriter(0).doc().insert(DOCUMENT_ID, 0, html([])).batch());
  const frames = await view().page.evaluate(
    async (text) => {
      let count = 0;
      for (const batch of JSON.parse(text) as Batch[]) window.harness.feed(1, batch);
      while (window.harness.reached.length < 3) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        count++;
      }
      return count;
    },
    JSON.stringify([big, page.batch()]),
  );
  expect(frames).toBeGreaterThan(2);
  const main = await view().main();
  expect(
    await main.evaluate(() => [document.querySelectorAll('p').length, document.getElementById('root')?.title]),
  ).toEqual([23_999, 'done']);
});

it('[M-001] builds elements of unknown namespaces in them, for style sheets that name these', async () => {
  const page = new PageWriter(1);
  const note = h('note urn:own', { id: 'note' }, ['x'], { namespace: NAMESPACE.other });
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([note, h('v-noscript', { 'v-shown': '' }, ['off']), h('v-noscript')], [h('style', { id: 'style' })]),
    );
  page.sheet('style', '@namespace own "urn:own"; own|note { color: rgb(1, 2, 3) }');
  await view().feed(1, page.batch());
  const main = await view().main();
  const seen = await main.evaluate(() => [
    getComputedStyle(document.querySelector('note')!).color,
    ...[...document.querySelectorAll('v-noscript')].map((element) => getComputedStyle(element).display),
  ]);
  expect(seen).toEqual(['rgb(1, 2, 3)', 'inline', 'none']);
});

it('builds no active element from a name with a namespace', async () => {
  const page = new PageWriter(1);
  const hostile = [
    h('script http://www.w3.org/1999/xhtml', {}, [], { namespace: NAMESPACE.other }),
    h('embed http://www.w3.org/1999/xhtml', {}, [], { namespace: NAMESPACE.other }),
    h('script http://www.w3.org/2000/svg', {}, [], { namespace: NAMESPACE.other }),
    h('base urn:x', {}, [], { namespace: NAMESPACE.other }),
  ];
  page.doc().insert(DOCUMENT_ID, 0, html(hostile));
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(await main.evaluate(() => [...document.body.children].map(({ localName }) => localName))).toEqual(
    hostile.map(() => 'v-blocked'),
  );
});
