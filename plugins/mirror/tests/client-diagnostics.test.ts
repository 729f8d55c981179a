import { expect, it } from 'vitest';
import type { Readings } from '../../../core/index.ts';
import { DOCUMENT_ID, OP } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import type { Node } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const GONE = 9999;
const UNKNOWN = 99;

it('[R-116] logs failures to the console only, once per kind: unknown ops, missing nodes and strings, images that do not load', async () => {
  const console: string[] = [];
  view().page.on('console', (line) => console.push(`${line.type()} ${line.text()}`));
  await view().page.route('**/c/i/missing', (route) => route.fulfill({ status: 404 }));
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('p', { id: 'p' }, ['text']), h('img', { src: '/c/i/missing' })]));
  const p = page.id('p');
  for (let i = 0; i < 50; i++)
    page
      .op(UNKNOWN, p)
      .op(OP.attribute, GONE, page.text('title'), page.text('x'))
      .op(OP.text, p + 1, 1_000_000)
      .op(OP.move, GONE, p, 0)
      .insert(GONE, 0, 'nowhere');
  page.attribute('p', 'title', 'reached');
  await view().feed(1, page.batch());

  expect(await (await view().main()).locator('p').getAttribute('title')).toBe('reached');
  await eventually(() => console.filter((line) => line.startsWith('error') && line.includes('404'))).toHaveLength(1);
  const logged = console.filter((line) => line.startsWith('warning [mirror'));
  expect(logged).toHaveLength(5);
  const warnings = await view().page.evaluate(() => window.harness.warnings);
  const kinds = warnings.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as { code: number; reason: string });
  expect(kinds.map(({ code, reason }) => [code, reason])).toEqual([
    [UNKNOWN, 'RangeError: unknown op'],
    [OP.attribute, 'RangeError: unknown node'],
    [OP.text, 'RangeError: unknown string index'],
    [OP.move, 'RangeError: unknown node'],
    [OP.insert, 'RangeError: unknown node'],
  ]);
  expect(await view().page.evaluate(() => window.harness.reports)).toEqual([]);
});

it('logs a limited number of kinds', async () => {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('p', { id: 'p' })]));
  for (let code = 100; code < 200; code++) page.op(code, page.id('p'));
  await view().feed(1, page.batch());
  expect(await view().page.evaluate(() => window.harness.warnings.length)).toBe(20);
});

it('[R-004] has no video and no scrollbars in its bare mode, those of elements included', async () => {
  const page = new PageWriter(1);
  const inner = h('div', { id: 'inner', style: 'width:100px;height:100px;overflow:scroll' }, ['text']);
  page.doc().insert(DOCUMENT_ID, 0, html([h('video', { id: 'video', controls: '' }), inner]));
  await view().feed(1, page.batch());
  const main = await view().main();
  const look = (): Promise<unknown[]> =>
    main.evaluate(() => {
      const scrollers = [document.documentElement, document.getElementById('inner')!];
      const widths = scrollers.map((scroller) => getComputedStyle(scroller).scrollbarWidth);
      return [getComputedStyle(document.querySelector('video')!).visibility, ...widths];
    });
  const diagnostics = await view().page.evaluateHandle(() => window.harness.renderer.diagnostics());
  expect(await look()).toEqual(['visible', 'auto', 'auto']);
  await diagnostics.evaluate((mode) => mode.setBare(true));
  expect(await look()).toEqual(['hidden', 'none', 'none']);
  await diagnostics.evaluate((mode) => mode.setBare(false));
  expect(await look()).toEqual(['visible', 'auto', 'auto']);
});

it('[R-014] counts the batches, changes, nodes and canvases of all frames, and the batches that wait in any of them', async () => {
  const canvas = (id: string, size: string): Node => h('canvas', { id, width: size, height: size });
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('iframe', { id: 'frame' }), canvas('outer', '10')]));
  page.op(OP.frame, page.id('frame'), 5);
  await view().feed(1, page.batch());
  const diagnostics = await view().page.evaluateHandle(() => window.harness.renderer.diagnostics());
  const readings = (): Promise<Readings> => diagnostics.evaluate((mode) => mode.readings());
  const before = await readings();
  expect(before).toMatchObject({ queued: 0, canvasBytes: 400 });

  const inner = new PageWriter(50).doc().insert(DOCUMENT_ID, 0, html([canvas('inner', '20')]));
  await view().feed(5, inner.batch());
  const after = await readings();
  expect([after.commits - before.commits, after.mutations - before.mutations]).toEqual([1, 2]);
  expect(after).toMatchObject({ queued: 0, canvasBytes: 2000 });
  expect(after.nodes - before.nodes).toBe(5); // the document, html, head, body, canvas
  expect(after.drawingMs).toBeGreaterThan(0);

  // No element shows this frame yet.
  await view().push(7, new PageWriter(70).doc().batch());
  expect(await readings()).toMatchObject({ queued: 1 });
});
