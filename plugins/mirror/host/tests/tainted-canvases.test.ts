import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import { manifest } from '../../manifest.ts';
import { OP } from '../../ops.ts';
import { packTainted, unpackTainted } from '../../tainted-canvas.ts';
import type { TaintedCanvas } from '../../tainted-canvas.ts';
import type { OwnOps } from '../frame-stream.ts';
import { TaintedCanvases } from '../tainted-canvases.ts';

const CANVAS: TaintedCanvas = { epoch: 5, id: 7, width: 20, height: 10, box: [5, 6, 20, 10], seen: [0, 8, 15, 100] };

function setUp() {
  const harness = pluginHarness(manifest, { url: 'https://site.test/' });
  const sent: [epoch: number, own: OwnOps][] = [];
  const clips: unknown[] = [];
  const viewport = { pageX: 100, pageY: 1000, clientWidth: 1280, clientHeight: 800 };
  const state = { busy: false, data: 'iVBORw0', atOnce: 0, most: 0 };
  harness.cdp.answer('Page.getLayoutMetrics', () => ({ cssVisualViewport: viewport }));
  harness.cdp.answer('Page.captureScreenshot', async ({ clip }: { clip: unknown }) => {
    clips.push(clip);
    state.most = Math.max(state.most, ++state.atOnce);
    await new Promise((resolve) => setTimeout(resolve, 5));
    state.atOnce--;
    return { data: state.data };
  });
  const canvases = new TaintedCanvases({
    scope: harness.host,
    isBusy: () => state.busy,
    add: (_frame, epoch, own) => void sent.push([epoch, own]),
  });
  const main = harness.host.frames.get(1)!;
  return { state, sent, clips, viewport, show: (canvas = CANVAS) => canvases.show(main, canvas) };
}

it('[M-002] the visible part of a tainted canvas is sent to the view, once', async () => {
  const { state, sent, clips, show } = setUp();
  expect(await show()).toBe(true);
  expect(await show()).toBe(false);
  expect(clips[0]).toEqual({ x: 105, y: 1008, width: 10, height: 8, scale: 1 });
  const [epoch, { ops }] = sent[0]!;
  const address = ops[0]![2] as string; // of a picture
  expect([sent.length, epoch, ops]).toEqual([1, 5, [[OP.picture, 7, address]]]);
  const svg = decodeURIComponent(address);
  expect(svg).toContain('width="20" height="10" viewBox="0 0 20 10"');
  expect(svg).toContain('<image x="0" y="2" width="10" height="8"');
  expect(address).not.toMatch(/["<>\s]/);
  state.data = 'iVBORw1';
  expect(await show()).toBe(true);
  expect(await show({ ...CANVAS, epoch: 6 })).toBe(true);
  expect(sent.length).toBe(3);
});

it('tainted canvases are captured one at a time, a few may wait, and none while the client lags behind', async () => {
  const { state, sent, show } = setUp();
  const shown = await Promise.all(Array.from({ length: 20 }, (_, n) => show({ ...CANVAS, id: n + 2 })));
  expect(shown.filter(Boolean).length).toBe(8);
  expect([sent.length, state.most]).toEqual([8, 1]);
  state.busy = true;
  expect(await show({ ...CANVAS, id: 99 })).toBe(false);
  state.busy = false;
  expect(await show({ ...CANVAS, id: 99 })).toBe(true);
});

it('nothing is sent of a hidden canvas, nor a picture that is too large', async () => {
  const { state, sent, show } = setUp();
  expect(await show({ ...CANVAS, seen: [0, 0, 2, 2] })).toBe(false);
  state.data = 'iVBOR'.padEnd(5 * 1024 * 1024, 'a');
  expect(await show()).toBe(false);
  expect(sent).toEqual([]);
});

it('no more of a canvas is captured than the screen shows, wherever the page says that it is', async () => {
  const { sent, clips, viewport, show } = setUp();
  const huge = { ...CANVAS, box: [-300, -200, 1e6, 1e6], seen: [-1e6, -1e6, 1e6 * 2, 1e6 * 2] } as const;
  expect(await show(huge)).toBe(true);
  expect(clips).toEqual([{ x: 100, y: 1000, width: 1280, height: 800, scale: 1 }]);
  expect(decodeURIComponent(sent[0]![1].ops[0]![2] as string)).toContain(
    '<image x="300" y="200" width="1280" height="800"',
  );
  expect(await show({ ...CANVAS, box: [1280, 0, 50, 50], seen: [0, 0, 2000, 2000] })).toBe(false);
  expect(await show({ ...CANVAS, box: [0, -50, 50, 50], seen: [-100, -100, 2000, 2000] })).toBe(false);
  Object.assign(viewport, { clientWidth: 1e9, clientHeight: 1e9 });
  expect(await show(huge)).toBe(true);
  expect(clips.at(-1)).toMatchObject({ width: 8192, height: 8192 });
});

it('an invalid canvas is ignored', () => {
  expect(unpackTainted(packTainted(CANVAS))).toEqual(CANVAS);
  const fields = packTainted(CANVAS);
  const wrong = [-1, 0.5, NaN, Infinity, 2e6].map((field) => fields.with(2, field));
  for (const bad of [[], fields.slice(1), [...fields, 1], fields.with(9, -Infinity), ...wrong])
    expect(unpackTainted(bad)).toBeUndefined();
});
