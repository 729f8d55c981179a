import { describe, expect, it, vi } from 'vitest';
import { OP, RECORD } from '../../ops.ts';
import * as protocol from '../../protocol.ts';
import { MAX_OUTSTANDING_BATCHES } from '../flow.ts';
import { SHEET_DEADLINE_MS } from '../sheet-texts.ts';
import {
  batch,
  doc,
  element,
  gone,
  harness,
  received,
  send,
  SHEETS,
  texts,
  pageMessages,
  useMirror,
} from './host-half.ts';

useMirror();

describe('batches', () => {
  it('[M-001] reach the client sanitized, in order', async () => {
    await send(1, batch(1, [doc, element(2, 'script')]));
    await send(
      1,
      batch(2, [
        [OP.attribute, 2, 'onclick', 'x'],
        [OP.attribute, 2, 'id', 'x'],
      ]),
    );
    expect(received.map(({ frame, batch: { epoch, seq } }) => [frame, epoch, seq])).toEqual([
      [1, 5, 1],
      [1, 5, 2],
    ]);
    expect(received[0]?.batch.strings).toContain('v-script');
    expect(received[1]?.batch.ops).toHaveLength(1);
    expect(harness.faults).toEqual([]);
  });

  it('[M-051] make the frame serialize again when they are refused, a limited number of times', async () => {
    const page = pageMessages(1);
    for (let seq = 1; seq <= 6; seq++) await send(1, batch(seq, [doc, [OP.frame, 1, 2]]));
    expect(page.resyncs).toBe(3);
    expect(received).toEqual([]);
    await send(1, batch(9, [[OP.attribute, 1, 'id', 'x']]));
    expect(received).toEqual([]);
    await send(1, batch(1, [doc], 6));
    expect(received).toHaveLength(1);
  });

  it('[M-051] are requested again when the client is out of sync, or is a new one', async () => {
    const page = pageMessages(1);
    await send(1, batch(1, [doc]));
    harness.client.commands.send(protocol.resync, { frame: 1, reason: 'gap' });
    await harness.flush();
    expect(page.resyncs).toBe(1);
    await send(1, batch(2, [[OP.remove, 7]]));
    expect(received).toHaveLength(1);
    await send(1, batch(1, [doc], 6));
    expect(received).toHaveLength(2);
    harness.hostHooks.clientAttached.call({ fresh: false });
    await harness.flush();
    expect(page.resyncs).toBe(1);
    harness.hostHooks.clientAttached.call({ fresh: true });
    await harness.flush();
    expect(page.resyncs).toBe(2);
  });

  it('[M-051] of all frames are requested again by a new client, and of one where only that is lost', async () => {
    harness.frames.begin({ id: 2, url: 'https://ad.test/' });
    const pages = [1, 2].map(pageMessages);
    for (const frame of [1, 2]) await send(frame, batch(1, [doc]));
    harness.client.commands.send(protocol.resync, { frame: 2, reason: 'gap' });
    await harness.flush();
    expect(pages.map(({ resyncs }) => resyncs)).toEqual([0, 1]);
    harness.hostHooks.clientAttached.call({ fresh: true });
    await harness.flush();
    expect(pages.map(({ resyncs }) => resyncs)).toEqual([1, 2]);
  });

  it('[M-051] release a page half that was held for batches which the client has lost', async () => {
    const page = pageMessages(1);
    await send(1, batch(1, [doc]));
    for (let seq = 2; seq <= MAX_OUTSTANDING_BATCHES + 1; seq++) await send(1, batch(seq, []));
    expect(page.held).toEqual([true]);
    harness.client.commands.send(protocol.resync, { frame: 1, reason: 'gap' });
    await harness.flush();
    expect([page.held, page.resyncs]).toEqual([[true, false], 1]);
  });

  it('hold the page half while the client lags behind, and release it afterwards', async () => {
    const page = pageMessages(1);
    await send(1, batch(1, [doc]));
    for (let seq = 2; seq <= MAX_OUTSTANDING_BATCHES + 1; seq++) await send(1, batch(seq, []));
    expect(page.held).toEqual([true]);
    const apply = async (seq: number): Promise<void> => {
      harness.client.commands.send(protocol.applied, { frame: 1, epoch: 5, seq });
      await harness.flush();
    };
    await apply(MAX_OUTSTANDING_BATCHES / 2);
    expect(page.held).toEqual([true]);
    await apply(MAX_OUTSTANDING_BATCHES / 2 + 1);
    expect(page.held).toEqual([true, false]);
    harness.hostHooks.lagging.call({ lagging: true });
    harness.hostHooks.lagging.call({ lagging: false });
    await harness.flush();
    expect(page.held).toEqual([true, false, true, false]);
  });
});

describe('style sheets', () => {
  it('arrive with their text, with inlined imports and addresses as tokens', async () => {
    await send(1, batch(1, [doc, element(2, 'link'), [OP.sheet, 2, 2, '/a.css', 'screen', 0]]));
    await vi.advanceTimersByTimeAsync(1);
    await harness.flush();
    expect(texts(received[0] ?? { batch: batch(1, []) }, OP.sheet)[0]?.replaceAll('\n', '')).toBe(
      '@media print{ b{c:d}} a{background:url("/c/i/2")}',
    );
  });

  it('delay later batches, up to a deadline, and follow when they are loaded', async () => {
    await send(1, batch(1, [doc, element(2, 'link'), [OP.sheet, 2, 2, '/late.css', 'print', 1]]));
    await send(1, batch(2, [element(3, 'p')]));
    await vi.advanceTimersByTimeAsync(SHEET_DEADLINE_MS - 1);
    await harness.flush();
    expect(received).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await harness.flush();
    expect(received.map(({ batch: { seq } }) => seq)).toEqual([1, 2]);
    SHEETS['https://site.test/late.css'] = 'l{m:n}';
    await vi.advanceTimersByTimeAsync(5000);
    await harness.flush();
    delete SHEETS['https://site.test/late.css'];
    const late = received[2]?.batch;
    expect(late).toMatchObject({ epoch: 5, seq: 2, ops: [[OP.sheet, 2, 1, 0, 1, 1]], strings: ['l{m:n}', 'print'] });
  });

  it('add the original addresses that they ask for, and no others', async () => {
    const image = (id: number, src: string): (number | string)[] => [
      OP.insert,
      1,
      0,
      id,
      RECORD.element,
      0,
      'img',
      0,
      1,
      'src',
      src,
      0,
    ];
    const link = [OP.sheet, 2, 2, 'c.css', -1, 0];
    SHEETS['https://site.test/c.css'] = 'img[src$=".svg"]{}';
    await send(1, batch(1, [doc, element(2, 'link'), image(3, 'x.svg'), link]));
    await send(1, batch(2, [image(4, 'y.svg')]));
    const kept = received.flatMap(({ batch: { ops, strings } }) =>
      ops.flatMap(([code, id, name, value]) =>
        code === OP.attribute ? [[id, strings[name ?? -1], strings[value ?? -1]]] : [],
      ),
    );
    expect(kept).toEqual([[3, 'v-was-src', 'x.svg']]);
    expect(received.at(-1)?.batch.strings).toContain('y.svg');
    expect(received.at(-1)?.batch.strings).toContain('v-was-src');
  });

  it('that come late do not replace newer ones', async () => {
    await send(1, batch(1, [doc, element(2, 'link'), [OP.sheet, 2, 2, '/late.css', '', 0]]));
    await vi.advanceTimersByTimeAsync(SHEET_DEADLINE_MS);
    await send(1, batch(2, [[OP.sheet, 2, 3, 'new{}', '', 0]]));
    SHEETS['https://site.test/late.css'] = 'l{m:n}';
    await vi.advanceTimersByTimeAsync(5000);
    await harness.flush();
    delete SHEETS['https://site.test/late.css'];
    expect(received).toHaveLength(2);
  });

  it('that are data addresses are decoded here', async () => {
    await send(
      1,
      batch(1, [doc, element(2, 'link'), [OP.sheet, 2, 2, 'data:text/css,a%7Bb:%22%E2%9C%93%22%7D', '', 0]]),
    );
    await send(1, batch(2, [[OP.sheet, 2, 2, `data:text/css;charset=utf-8;base64,${btoa('c{d:e}')}`, '', 0]]));
    expect(received.flatMap((message) => texts(message, OP.sheet))).toEqual(['a{b:"✓"}', 'c{d:e}']);
    expect(harness.cdp.sent).toEqual([]);
  });

  it('that scripts have changed are reported to the page half', async () => {
    const page = pageMessages(1);
    harness.frames.know(1, 77, { epoch: 5, node: 2 });
    const header = {
      styleSheetId: 's1',
      frameId: 'F1',
      sourceURL: 'https://site.test/',
      isInline: true,
      ownerNode: 77,
    };
    harness.cdp.emit('CSS.styleSheetAdded', { header });
    harness.cdp.emit('CSS.styleSheetAdded', { header: { ...header, styleSheetId: 's2', ownerNode: undefined } });
    for (const styleSheetId of ['s1', 's1', 's2', 'unknown'])
      harness.cdp.emit('CSS.styleSheetChanged', { styleSheetId });
    harness.cdp.emit('DOM.topLayerElementsUpdated', {});
    await vi.advanceTimersByTimeAsync(50);
    await harness.flush();
    expect(page.dirty).toEqual([[2], []]);
    expect(page.topLayer).toBe(1);
  });
});

it('style sheets, fonts and top layers of one process are none of other frames', async () => {
  harness.frames.begin({ id: 2, url: 'https://ad.test/' });
  const [page, ad] = [pageMessages(1), pageMessages(2)];
  harness.frames.know(1, 77, { epoch: 5, node: 2 });
  const header = { styleSheetId: 's1', frameId: 'F1', sourceURL: '', isInline: true, ownerNode: 77 };
  harness.cdp.emit('CSS.styleSheetAdded', { header });
  harness.cdp.emit('CSS.styleSheetRemoved', { styleSheetId: 's1' }, 2);
  harness.cdp.emit('CSS.styleSheetChanged', { styleSheetId: 's1' }, 2);
  const fonts: number[] = [];
  for (const id of [1, 2]) harness.page.in(id).handle(protocol.fontLoaded, () => void fonts.push(id));
  const rest = { fontStyle: '', fontWeight: '', fontStretch: '', unicodeRange: '' };
  harness.cdp.emit('CSS.fontsUpdated', { font: { fontFamily: 'Arial', src: 'https://ad.test/a', ...rest } }, 2);
  harness.cdp.emit('DOM.topLayerElementsUpdated', {}, 2);
  await vi.advanceTimersByTimeAsync(200);
  await harness.flush();
  expect([page.dirty, page.topLayer, ad.topLayer, fonts]).toEqual([[], 0, 1, [2]]);
  harness.cdp.emit('CSS.styleSheetChanged', { styleSheetId: 's1' });
  await vi.advanceTimersByTimeAsync(50);
  await harness.flush();
  expect(page.dirty).toEqual([[2]]);
});

describe('parts of other SVG files', () => {
  it('are set once the file is loaded, unless they have changed', async () => {
    SHEETS['https://site.test/s.svg'] = '<svg xmlns="http://www.w3.org/2000/svg"><g id="a" onclick="x"/></svg>';
    const use = (id: number, href: string): (number | string)[] => [
      OP.insert,
      1,
      0,
      id,
      RECORD.element,
      1,
      'use',
      0,
      1,
      'href',
      href,
      0,
    ];
    await send(
      1,
      batch(1, [doc, use(2, 's.svg#a'), use(3, 's.svg#b'), use(4, 's.svg#c'), [OP.attribute, 4, 'href', '#d']]),
    );
    const late = received[1]?.batch;
    expect(late?.seq).toBe(1);
    const fields = late?.ops.map(([code, id, name = -1, value = -1]) => [
      code,
      id,
      late.strings[name],
      late.strings[value],
    ]);
    expect(fields).toEqual([
      [OP.attribute, 2, 'href', '/c/i/2#a'],
      [OP.attribute, 3, 'href', '/c/i/2#b'],
    ]);
    expect(JSON.stringify(received)).not.toContain('s.svg');
  });
});

describe('nested frames', () => {
  it('are shown only in an element that the client has', async () => {
    await send(1, batch(1, [doc]));
    harness.frames.load({ id: 2, url: 'https://frame.test/' });
    await send(2, batch(1, [doc, element(2, 'p')], 8));
    harness.frames.own(2, { epoch: 5, node: 9 });
    await send(1, batch(2, [element(3, 'p')]));
    expect(received.map(({ frame }) => frame)).toEqual([1, 1]);
    await send(1, batch(3, [element(9, 'iframe')]));
    expect(received.slice(2).map(({ frame, batch: { seq, ops } }) => [frame, seq, ops[0]?.[0]])).toEqual([
      [1, 3, OP.insert],
      [1, 3, OP.frame],
      [2, 1, OP.doc],
    ]);
    expect(received[3]?.batch.ops).toEqual([[OP.frame, 9, 2]]);
    harness.frames.remove(2);
    await harness.flush();
    expect(gone).toEqual([2]);
  });

  it('are bound again in a new document', async () => {
    harness.frames.load({ id: 2, url: 'https://frame.test/' });
    harness.frames.own(2, { epoch: 5, node: 9 });
    await send(1, batch(1, [doc, element(9, 'iframe')]));
    await send(2, batch(1, [doc], 8));
    expect(received.map(({ frame }) => frame)).toEqual([1, 1, 2]);
    harness.frames.own(2, { epoch: 6, node: 4 });
    await send(1, batch(1, [doc], 6));
    await send(2, batch(2, [], 8));
    expect(received.slice(3).map(({ frame }) => frame)).toEqual([1]);
    await send(1, batch(2, [element(4, 'iframe')], 6));
    expect(received.slice(4).map(({ frame, batch: { ops } }) => [frame, ops])).toEqual([
      [1, expect.anything()],
      [1, [[OP.frame, 4, 2]]],
      [2, []],
    ]);
  });

  it('[S-155] are reported when they show a document, so that a page half that never starts is noticed', async () => {
    await send(1, batch(1, [doc, element(9, 'iframe'), element(10, 'iframe')]));
    const shows = async (id: number, url: string, mimeType: string): Promise<void> => {
      harness.frames.begin({ id, url, mimeType });
      harness.frames.own(id, { epoch: 5, node: id + 7 });
      harness.hostHooks.navigated.call({ frame: id, url, sameDocument: false });
      await harness.flush();
    };
    await shows(2, 'https://frame.test/', 'text/html');
    expect(received.map(({ frame, batch: { ops } }) => [frame, ops.at(-1)])).toEqual([
      [1, expect.anything()],
      [1, [OP.frame, 9, 2]],
    ]);
    // Chromium's own pages have no page half.
    await shows(3, 'chrome-error://chromewebdata/', 'text/html');
    await shows(3, 'https://frame.test/a.pdf', 'application/pdf');
    expect(received).toHaveLength(2);
    harness.frames.load({ id: 2, url: 'https://frame.test/' });
    await send(2, batch(1, [doc], 8));
    expect(received.slice(2).map(({ frame }) => frame)).toEqual([2]);
  });

  it('wait for the sheets of their page', async () => {
    harness.frames.load({ id: 2, url: 'https://frame.test/' });
    harness.frames.own(2, { epoch: 5, node: 9 });
    await send(2, batch(1, [doc], 8));
    await send(1, batch(1, [doc, element(9, 'iframe'), element(10, 'link'), [OP.sheet, 10, 2, '/late.css', '', 0]]));
    expect(received).toEqual([]);
    await vi.advanceTimersByTimeAsync(SHEET_DEADLINE_MS);
    await harness.flush();
    expect(received.map(({ frame }) => frame)).toEqual([1, 2]);
    expect(received[0]?.batch.ops.at(-1)).toEqual([OP.frame, 9, 2]);
  });
});

it('reports the addresses of fonts that no style sheet names to page halves', async () => {
  const seen: string[] = [];
  harness.page.in(1).handle(protocol.fontLoaded, ({ family, source }) => void seen.push(`${family} ${source}`));
  await send(1, batch(1, [doc, element(2, 'style'), [OP.sheet, 2, 1, '@font-face{font-family:a;src:url(/a)}', '', 0]]));
  const rest = { fontStyle: '', fontWeight: '', fontStretch: '', unicodeRange: '' };
  const loaded = (fontFamily: string, src: string): void =>
    harness.cdp.emit('CSS.fontsUpdated', { font: { fontFamily, src, ...rest } });
  loaded('a', 'https://site.test/a');
  loaded('b', 'https://site.test/b');
  loaded('bytes', '');
  harness.cdp.emit('CSS.fontsUpdated', {});
  await vi.advanceTimersByTimeAsync(200);
  await harness.flush();
  expect(seen).toEqual(['b https://site.test/b']);
});

it('[H3] a long source of a font is given to the frame that asks, and not to all', async () => {
  const seen: unknown[] = [];
  harness.page.in(1).handle(protocol.fontLoaded, (font) => void seen.push(font));
  const src = `data:font/woff2,${'x'.repeat(1024 * 1024)}`;
  const font = { fontFamily: 'a', src, fontStyle: '', fontWeight: '', fontStretch: '', unicodeRange: '' };
  harness.cdp.emit('CSS.fontsUpdated', { font });
  await vi.advanceTimersByTimeAsync(200);
  await harness.flush();
  expect(seen).toEqual([{ family: 'a', style: '', weight: '', stretch: '', range: '', source: '', key: 1 }]);
  const answer = harness.page.in(1).call(protocol.fontSource, { key: 1 });
  const unknown = harness.page.in(1).call(protocol.fontSource, { key: 2 });
  await harness.flush();
  expect(await answer).toBe(src);
  expect(await unknown).toBeNull();
});
