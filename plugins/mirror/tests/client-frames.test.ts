import { expect, it } from 'vitest';
import { DOCUMENT_ID, MODES, NAMESPACE, OP } from '../ops.ts';
import type { Batch } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const sent = (message: string): Promise<unknown[]> =>
  view().page.evaluate(
    (wanted) => window.harness.sent.filter(({ name }) => name === wanted).map(({ params }) => params),
    message,
  );
const resyncs = (): Promise<unknown[]> => sent('mirror.resync');
const grafts = (): Promise<unknown[]> => sent('graft');
const textOf = async (selector: string): Promise<string | undefined> =>
  (await view().main()).evaluate(
    (css) => document.querySelector<HTMLIFrameElement>(css)?.contentDocument?.body.innerText,
    selector,
  );

function child(epoch: number, text: string): PageWriter {
  return new PageWriter(epoch).doc().insert(DOCUMENT_ID, 0, html([h('p', { id: 'p' }, [text])]));
}

it.each([
  ['in the document that was loaded ahead', 0, true],
  ['in one of its own where it needs another', MODES.indexOf('quirks'), false],
])('shows the first page %s', async (_where, mode, isSame) => {
  const { page } = view();
  await page.waitForFunction(() => frames[0]?.document.URL.endsWith('html-standards'));
  const ahead = await page.evaluateHandle(() => frames[0]?.document);
  await view().feed(
    1,
    new PageWriter(1)
      .doc(mode)
      .insert(DOCUMENT_ID, 0, html([h('p', {}, ['text'])]))
      .batch(),
  );
  await page.waitForFunction(() => document.querySelectorAll('#vitrine-view iframe').length === 1);
  const main = await view().main();
  expect(await main.evaluate(() => [document.compatMode, document.body.innerText])).toEqual([
    isSame ? 'CSS1Compat' : 'BackCompat',
    'text',
  ]);
  expect(await page.evaluate((document) => frames[0]?.document === document, ahead)).toBe(isSame);
});

it('[M-001] builds nested frames, whichever comes first: the frame or its content', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('iframe', { id: 'a' }),
        h('div', { id: 'host' }, [], { shadow: { children: [h('iframe', { id: 'b' })] } }),
      ]),
    );
  await view().push(5, child(50, 'early').batch());
  page.op(OP.frame, page.id('a'), 5).op(OP.frame, page.id('b'), 6);
  await view().feed(1, page.batch());
  const late = child(60, 'late');
  await view().feed(6, late.batch());
  await eventually(() => textOf('#a')).toBe('early');
  const main = await view().main();
  const inner = (): Promise<string | undefined> =>
    main.evaluate(
      () => document.getElementById('host')?.shadowRoot?.querySelector('iframe')?.contentDocument?.body.innerText,
    );
  expect(await inner()).toBe('late');
  late.op(OP.text, late.id('p') + 1, late.text('later'));
  await view().feed(6, late.batch());
  expect(await inner()).toBe('later');
  // A navigation within the frame: another epoch, another kind of document.
  const svg = { namespace: NAMESPACE.svg };
  await view().feed(
    5,
    new PageWriter(51)
      .doc(0, 2)
      .insert(DOCUMENT_ID, 0, h('svg', {}, [], svg))
      .batch(),
  );
  expect(
    await main.evaluate(
      () => document.querySelector<HTMLIFrameElement>('#a')?.contentDocument?.documentElement.localName,
    ),
  ).toBe('svg');
  expect(await view().page.evaluate(() => window.harness.documents.toSorted())).toEqual([1, 5, 6]);
  expect(await view().page.evaluate(() => history.length)).toBe(await view().page.evaluate(() => 2));
});

it('builds frames in frames, four deep', async () => {
  let parent = new PageWriter(1);
  parent.doc().insert(DOCUMENT_ID, 0, html([h('iframe', { id: 'f' })]));
  parent.op(OP.frame, parent.id('f'), 2);
  await view().feed(1, parent.batch());
  for (const frame of [2, 3, 4]) {
    parent = child(frame * 10, `depth ${frame}`);
    parent.insert(parent.id('body'), 0, h('iframe', { id: 'f' })).op(OP.frame, parent.id('f'), frame + 1);
    await view().feed(frame, parent.batch());
  }
  await view().feed(5, child(50, 'innermost').batch());
  const frames = view().page.frames();
  expect(
    await Promise.all(frames.slice(2).map((frame) => frame.evaluate(() => document.body.innerText.trim()))),
  ).toEqual(['depth 2', 'depth 3', 'depth 4', 'innermost']);
});

it('shows the document of an object in its box, instead of its fallback', async () => {
  const page = new PageWriter(1);
  const object = h('object', { id: 'o', width: '200', height: '100' }, ['instead', h('b', {}, ['of it'])]);
  page.doc().insert(DOCUMENT_ID, 0, html([object, h('object', { id: 'plain' }, ['instead'])]));
  page.op(OP.frame, page.id('o'), 5);
  await view().feed(1, page.batch());
  await view().feed(5, child(50, 'inside').batch());
  expect(await textOf('#o iframe')).toBe('inside');
  const main = await view().main();
  const box = (selector: string): Promise<unknown> =>
    main.evaluate((css) => {
      const { width, height } = document.querySelector(css)?.getBoundingClientRect() ?? {};
      return [width, height];
    }, selector);
  expect(await box('#o')).toEqual([200, 100]);
  expect(await box('#o iframe')).toEqual([200, 100]);
  expect(await box('#o b')).toEqual([0, 0]);
});

// Where our iframe replaces the page's content, layout sets its size: there is nothing to synchronize every second, and nothing to
// retry for four.
it('[M-110] resizes the frame in an object with it, and sizes a frame once it is laid out and has a body', async () => {
  const page = new PageWriter(1);
  const frames = [
    h('object', { id: 'o', width: '200', height: '100' }),
    h('iframe', { id: 'f', style: 'display:none;width:321px;height:123px;border:0' }),
  ];
  page.doc().insert(DOCUMENT_ID, 0, html(frames));
  page.op(OP.frame, page.id('o'), 5).op(OP.frame, page.id('f'), 6);
  await view().feed(1, page.batch());
  await view().feed(5, child(50, 'inside').batch());
  const late = new PageWriter(60);
  late.doc().insert(DOCUMENT_ID, 0, h('html', { id: 'html' }, [h('head', {})]));
  await view().feed(6, late.batch());
  await eventually(() => textOf('#o iframe')).toBe('inside');
  const main = await view().main();
  const sizes = (): Promise<unknown> =>
    main.evaluate(() =>
      [...document.querySelectorAll('iframe')].map(({ contentWindow, contentDocument }) => [
        contentWindow?.innerWidth,
        contentWindow?.innerHeight,
        contentDocument?.querySelector('body')?.offsetWidth ?? 0,
      ]),
    );
  expect(await sizes()).toEqual([
    [200, 100, 184],
    [0, 0, 0],
  ]);
  page.attribute('o', 'style', 'width:300px;height:150px').attribute('f', 'style', 'width:321px;height:123px;border:0');
  await view().feed(1, page.batch());
  late.insert(late.id('html'), 0, h('body', {}, ['body']));
  await view().feed(6, late.batch());
  await view().frames();
  expect(await sizes()).toEqual([
    [300, 150, 284],
    [321, 123, 305],
  ]);
});

it('[M-079] keeps a nested frame that moves, and asks for its content again when it is attached elsewhere', async () => {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('iframe', { id: 'a' }), h('div', { id: 'to' })]));
  page.op(OP.frame, page.id('a'), 5);
  await view().feed(1, page.batch());
  await view().feed(5, child(50, 'content').batch());
  page.op(OP.move, page.id('a'), page.id('to'), 0);
  await view().feed(1, page.batch());
  expect(await textOf('#to iframe')).toBe('content');
  expect(await resyncs()).toEqual([]);
  const main = await view().main();
  await main.evaluate(() => document.body.prepend(document.querySelector('iframe') as HTMLIFrameElement));
  await eventually(grafts).toEqual([{ frame: 5 }]);
  expect(await resyncs()).toEqual([]);
  await view().feed(5, child(51, 'again').batch());
  expect(await textOf('#a')).toBe('again');
});

it('[M-079] asks for the content of a nested frame again when another element shows it', async () => {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('iframe', { id: 'a' }), h('iframe', { id: 'b' })]));
  page.op(OP.frame, page.id('a'), 5);
  await view().feed(1, page.batch());
  await view().feed(5, child(50, 'content').batch());
  expect(await textOf('#a')).toBe('content');
  page.op(OP.frame, page.id('b'), 5);
  await view().feed(1, page.batch());
  await eventually(grafts).toEqual([{ frame: 5 }]);
  expect(await resyncs()).toEqual([]);
  await view().feed(5, child(51, 'again').batch());
  await eventually(() => textOf('#b')).toBe('again');
});

it('[M-051] asks for a resync on a gap, at most once a second, and starts again with the next document', async () => {
  const page = child(1, 'one');
  await view().feed(1, page.batch());
  page.attribute('p', 'title', 'lost');
  page.batch();
  const after = [1, 2, 3].map(() => page.attribute('p', 'title', 'late').batch());
  const start = performance.now();
  // The next document comes before the second is over, by the page's own time.
  await view().page.evaluate(
    async ([lost, next]) => {
      for (const batch of JSON.parse(lost) as Batch[]) window.harness.feed(1, batch);
      while (!window.harness.sent.some(({ name }) => name === 'mirror.resync'))
        await new Promise((done) => setTimeout(done));
      window.harness.feed(1, JSON.parse(next) as Batch);
    },
    [JSON.stringify(after), JSON.stringify(child(2, 'two').batch())] as const,
  );
  expect(await resyncs()).toEqual([{ frame: 1, reason: 'out of order' }]);
  await eventually(async () => (await view().main()).evaluate(() => document.body.innerText)).toBe('two');
  expect(await resyncs()).toHaveLength(1);
  // A frame that is lost again so soon is still requested, but later.
  await view().push(1, { ...page.batch(), epoch: 2, seq: 5 });
  await eventually(resyncs).toHaveLength(2);
  expect(performance.now() - start).toBeGreaterThanOrEqual(1000);
  await view().feed(1, child(3, 'three').batch());
  await eventually(async () => (await view().main()).evaluate(() => document.body.innerText)).toBe('three');
});

it('applies ops that the host adds under the number of the last batch', async () => {
  const page = child(1, 'one');
  const first = page.batch();
  const added = page.attribute('p', 'title', 'added').batch();
  await view().feed(1, first);
  await view().push(1, { ...added, seq: 1 });
  await eventually(async () => (await view().main()).evaluate(() => document.getElementById('p')?.title)).toBe('added');
  expect(await resyncs()).toEqual([]);
});

it('keeps the old page visible until the next one has something to show', async () => {
  const main = async (): Promise<string> => (await view().main()).evaluate(() => document.body.innerText);
  let epoch = 0;
  let next: PageWriter;
  let start: number;
  let kept: string;
  // An empty page is shown too, a moment later: what was read after that moment, on a busy machine, says nothing.
  do {
    await view().feed(1, child(++epoch, 'one').batch());
    await eventually(main).toBe('one');
    next = new PageWriter(++epoch);
    next.doc().insert(DOCUMENT_ID, 0, html([]));
    start = performance.now();
    await view().feed(1, next.batch(true));
    kept = await main();
  } while (performance.now() - start >= 500);
  expect(kept).toBe('one');
  next.insert(next.id('body'), 0, 'two');
  await view().feed(1, next.batch());
  await eventually(main).toBe('two');
  expect(
    await view().page.evaluate(() => [document.querySelectorAll('iframe').length, window.harness.documents]),
  ).toEqual([1, [1]]);
  await view().feed(1, new PageWriter(++epoch).doc().insert(DOCUMENT_ID, 0, html([])).batch());
  await eventually(main).toBe('');
});

it('drops removed frames, and everything when it is disposed', async () => {
  const page = child(1, 'one');
  page.insert(page.id('body'), 0, h('iframe', { id: 'a' })).op(OP.frame, page.id('body') + 3, 5);
  await view().feed(1, page.batch());
  await view().feed(5, child(50, 'x').batch());
  await view().page.evaluate(() => window.harness.gone(5));
  expect(await view().page.evaluate(() => window.harness.documents)).toEqual([1]);
  await view().page.evaluate(() => window.harness.dispose());
  expect(
    await view().page.evaluate(() => [
      window.harness.documents,
      document.querySelectorAll('iframe, #vitrine-view').length,
    ]),
  ).toEqual([[], 0]);
});

it('acknowledges every batch, once it is applied', async () => {
  const page = child(9, 'one');
  const batches = [page.batch(), page.batch(), page.batch(true)];
  await view().feed(1, ...batches);
  expect(await view().page.evaluate(() => window.harness.reached)).toEqual([
    [1, 9, 1],
    [1, 9, 2],
    [1, 9, 3],
  ]);
});
