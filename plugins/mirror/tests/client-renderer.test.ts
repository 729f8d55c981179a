import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { DOCUMENT_ID, OP } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const px = (left: number, top: number): string =>
  `position:absolute;left:${left}px;top:${top}px;width:100px;height:50px;margin:0;padding:0;border:0`;

async function open(): Promise<{ page: PageWriter; child: PageWriter }> {
  const page = new PageWriter(1);
  page.doc().insert(
    DOCUMENT_ID,
    0,
    html([
      h('div', { id: 'a', style: px(100, 100) }, ['text ', h('b', { id: 'b' }, ['bold'])]),
      h('div', { id: 'host', style: px(300, 100) }, [], {
        shadow: { children: [h('button', { id: 'deep', style: px(10, 10) })] },
      }),
      h('iframe', { id: 'frame', style: `${px(100, 300)};width:300px;height:200px;border:5px solid;padding:3px` }),
    ]),
  );
  page.op(OP.frame, page.id('frame'), 7);
  await view().feed(1, page.batch());
  const child = new PageWriter(70);
  child.doc().insert(DOCUMENT_ID, 0, html([h('input', { id: 'field', style: px(20, 30) })]));
  await view().feed(7, child.batch());
  return { page, child };
}

const click = async (x: number, y: number): Promise<unknown> => {
  await view().page.mouse.click(x, y);
  return view().page.evaluate(() => window.harness.clicks.at(-1));
};

it('finds the node under an event, through shadow trees and frames, and the place in its box', async () => {
  const { page, child } = await open();
  const box = { width: 100, height: 50 };
  expect(await click(190, 140)).toEqual({
    frame: 1,
    epoch: 1,
    node: page.id('a'),
    x: 190,
    y: 140,
    offset: { x: 90, y: 40, ...box },
  });
  expect(await click(315, 115)).toEqual({
    frame: 1,
    epoch: 1,
    node: page.id('deep'),
    x: 315,
    y: 115,
    offset: { x: 5, y: 5, ...box },
  });
  expect(await click(138, 348)).toEqual({
    frame: 7,
    epoch: 70,
    node: child.id('field'),
    x: 30,
    y: 40,
    offset: { x: 10, y: 10, ...box },
  });
  expect(await click(700, 550)).toMatchObject({ frame: 1, x: 700, y: 550 });
});

it('returns boxes in the viewport of the shell, and none of removed nodes', async () => {
  const { page, child } = await open();
  const rects = (frame: number, epoch: number, node: number): Promise<unknown> =>
    view().page.evaluate(([f, e, n]) => window.harness.renderer.rects({ frame: f, epoch: e, node: n, x: 0, y: 0 }), [
      frame,
      epoch,
      node,
    ] as const);
  expect(await rects(1, 1, page.id('deep'))).toEqual([{ x: 310, y: 110, width: 100, height: 50 }]);
  expect(await rects(7, 70, child.id('field'))).toEqual([{ x: 128, y: 338, width: 100, height: 50 }]);
  expect(await rects(1, 2, page.id('a'))).toEqual([]);
  page.op(OP.remove, page.id('a'));
  await view().feed(1, page.batch());
  expect(await rects(1, 1, page.id('b'))).toEqual([]);
});

it('finds the focused element, in nested frames too, and the caret', async () => {
  const { page, child } = await open();
  const focused = (): Promise<unknown> => view().page.evaluate(() => window.harness.renderer.focused());
  child.op(OP.focus, child.id('field'), 1);
  await view().feed(7, child.batch());
  expect(await focused()).toMatchObject({ frame: 7, node: child.id('field') });
  expect(await view().page.evaluate(() => window.harness.renderer.caret())).toEqual({
    x: 128,
    y: 338,
    width: 100,
    height: 50,
  });
  page.op(OP.focus, page.id('deep'), 1);
  await view().feed(1, page.batch());
  expect(await focused()).toMatchObject({ frame: 1, node: page.id('deep') });
});

it('scrolls for features without notifying the surrogate', async () => {
  const { page } = await open();
  page.insert(page.id('body'), 0, h('div', { style: 'height:5000px' }));
  await view().feed(1, page.batch());
  await view().page.evaluate(() => window.harness.renderer.scrollTo({ frame: 1, x: 0, y: 0 }, 0, 120));
  const main = await view().main();
  expect(await main.evaluate(() => scrollY)).toBe(120);
  await view().frames();
  expect(await view().page.evaluate(() => window.harness.scrolls)).toEqual([]);
});

it.each(['light', 'dark'] as const)('looks like a top-level page when the person prefers %s', async (colorScheme) => {
  await view().page.emulateMedia({ colorScheme });
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html(['x'], [h('style', { id: 's' })]));
  page.sheet('s', 'body{color:black} @media (prefers-color-scheme: dark){body{color:rgb(1,2,3)}}');
  await view().feed(1, page.batch());
  const main = await view().main();
  expect(await main.evaluate(() => getComputedStyle(document.body).color)).toBe(
    colorScheme === 'dark' ? 'rgb(1, 2, 3)' : 'rgb(0, 0, 0)',
  );
  const corner = async (): Promise<number[]> => {
    const picture = PNG.sync.read(await view().page.screenshot({ clip: { x: 700, y: 500, width: 1, height: 1 } }));
    return [...picture.data.subarray(0, 3)];
  };
  // A page without a colour scheme is white in both.
  expect(await corner()).toEqual([255, 255, 255]);
  page.sheet('s', ':root{color-scheme:light dark}');
  await view().feed(1, page.batch());
  expect(await corner()).toEqual(colorScheme === 'dark' ? [18, 18, 18] : [255, 255, 255]);
});

it('keeps the selection of the person against later values from the surrogate', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([h('p', { id: 'p', style: 'font:28px monospace;margin:20px' }, ['Select a part of this'])]),
    );
  await view().feed(1, page.batch());
  const frame = await view().main();
  await view().stopClock(); // the surrogate's values wait for as long as the test does
  const selected = (): Promise<string> => frame.evaluate(() => getSelection()?.toString() ?? '');
  // In the order of the document, by the shell, as no scripts run in the frame: a busy machine answers too late to be asked in between.
  const order = await view().page.evaluateHandle(() => {
    const shown = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
    const seen: string[] = [];
    shown?.addEventListener('selectionchange', () => seen.push(shown.getSelection()?.toString() ?? ''));
    shown?.addEventListener('mouseup', () => seen.push('up'));
    return seen;
  });
  // Playwright's own mouse waits for timers of the frame during a drag; frames without scripts have none.
  const session = await view().page.context().newCDPSession(view().page);
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', x: number, buttons: number) =>
    session.send('Input.dispatchMouseEvent', { type, x, y: 40, button: 'left', buttons, clickCount: 1 });
  await mouse('mousePressed', 100, 1);
  for (let x = 120; x <= 300; x += 20) await mouse('mouseMoved', x, 1);
  await view().frames(); // the selection has been noticed
  page.op(OP.selection, page.id('p') + 1, 4, page.id('p') + 1, 5);
  await view().feed(1, page.batch());
  await mouse('mouseReleased', 300, 0);
  await eventually(async () => {
    await view().pass(1000);
    return selected();
  }).toBe('c');
  const seen = await order.jsonValue();
  expect(seen[seen.indexOf('up') - 1]?.length).toBeGreaterThan(5);
  expect(seen.at(-1)).toBe('c');
});
