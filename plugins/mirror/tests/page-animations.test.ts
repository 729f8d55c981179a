import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnimationsState } from '../animations.ts';
import { DOCUMENT_ID } from '../ops.ts';
import { PageBrowser } from './page-browser.ts';
import type { MirroredPage } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

/** Returns the last reported state of an element. */
async function lastOf(mirrored: MirroredPage, selector: string): Promise<AnimationsState | undefined> {
  const id = await mirrored.id(selector);
  const said = mirrored.all('animate').filter(({ op }) => op[1] === id);
  const last = said.at(-1);
  return last && (JSON.parse(last.text(last.op[2]!)) as AnimationsState);
}

it('[M-002] reports the animations of an element, their times, and their end', async () => {
  const mirrored = await browser.open(`<!doctype html>
    <style>@keyframes k { to { opacity: 0 } } .k::before { content: 'x'; animation: k 9s -4s paused } #t { transition: margin-left 9s }</style>
    <p class=k></p><p id=t></p><p id=s></p>`);
  await mirrored.change(() => {
    const [, t, s] = document.querySelectorAll('p');
    t!.getBoundingClientRect();
    t!.style.marginLeft = '300px';
    const waiting = s!.animate({ opacity: [1, 0] }, { duration: 500, iterations: Infinity, fill: 'both' });
    waiting.pause();
    waiting.currentTime = 250;
  });
  await mirrored.wait(500);
  expect(await lastOf(mirrored, '.k')).toMatchObject({
    list: [{ kind: 'css', name: 'k', pseudo: '::before', state: 'paused', time: 0, rate: 1 }],
  });
  expect(await lastOf(mirrored, '#t')).toMatchObject({
    list: [
      {
        kind: 'transition',
        name: 'margin-left',
        state: 'running',
        frames: [{ marginLeft: '0px' }, { marginLeft: '300px' }],
      },
    ],
  });
  expect(await lastOf(mirrored, '#s')).toMatchObject({
    list: [{ kind: 'script', state: 'paused', time: 250, timing: { duration: 500, iterations: null, fill: 'both' } }],
  });

  const before = mirrored.all('animate').length;
  await mirrored.wait(500);
  expect(mirrored.all('animate').length).toBe(before); // an unchanged animation is not reported again

  await mirrored.change(() => {
    for (const animation of document.getAnimations()) animation.cancel();
  });
  await mirrored.wait(500);
  for (const selector of ['.k', '#t', '#s']) expect(await lastOf(mirrored, selector)).toEqual({ list: [] });
});

it('[M-002] reports that nothing else runs when all is sent again', async () => {
  const mirrored = await browser.open('<!doctype html><style>@keyframes k { to { opacity: 0 } }</style><p>x');
  const isAll = (): boolean => mirrored.all('animate').some(({ op }) => op[1] === DOCUMENT_ID);
  mirrored.batches.length = 0;
  await mirrored.send('mirror.page-resync', {});
  await mirrored.wait();
  expect(isAll()).toBe(true);
});

it('[M-002] reports the scroller of a scroll-linked animation, and the clock of an SVG', async () => {
  const mirrored = await browser.open(`<!doctype html>
    <div id=box style="overflow:auto;height:50px"><div id=in style="height:500px"></div></div>
    <svg id=svg><rect><animate attributeName="x" to="50" dur="60s"/></rect></svg>`);
  await mirrored.change(() => {
    const { ScrollTimeline } = window as unknown as { ScrollTimeline: new (options: object) => AnimationTimeline };
    const timeline = new ScrollTimeline({ source: document.querySelector('#box'), axis: 'y' });
    document.querySelector('#in')!.animate({ opacity: [1, 0] }, { timeline });
    const svg = document.querySelector('svg')!;
    svg.setCurrentTime(30);
    svg.pauseAnimations();
  });
  await mirrored.wait(500);
  expect(await lastOf(mirrored, '#in')).toMatchObject({
    list: [{ kind: 'script', time: null, scroll: { node: await mirrored.id('#box'), isView: false, axis: 'y' } }],
  });
  expect(await lastOf(mirrored, '#svg')).toEqual({ list: [], clock: [30, true] });
});

it('[R-040] scans animations in a cycle: idle, one frame requested, the frame awaited, its result sent, idle again', async () => {
  const mirrored = await browser.open('<!doctype html><p>text</p>');
  await mirrored.wait(500);
  // The test triggers frames.
  await mirrored.page.evaluate(() => {
    const asked: FrameRequestCallback[] = [];
    Object.assign(globalThis, { asked });
    globalThis.requestAnimationFrame = (callback) => asked.push(callback);
  });
  const asked = (): Promise<number> =>
    mirrored.page.evaluate(() => (globalThis as unknown as { asked: unknown[] }).asked.length);
  const said = (): number => mirrored.all('animate').length;
  await mirrored.wait(500);
  const before = said();
  expect(await asked()).toBe(0); // nothing changes: no frame is requested

  await mirrored.page.evaluate(async () => {
    const p = document.querySelector('p')!;
    p.animate({ opacity: [1, 0] }, 1000).pause();
    for (let i = 0; i < 20; i++) {
      p.title = String(i);
      await new Promise((resolve) => setTimeout(resolve, 35));
    }
  });
  await mirrored.wait(500);
  expect([await asked(), said()]).toEqual([1, before]);

  await mirrored.page.evaluate(() => (globalThis as unknown as { asked: FrameRequestCallback[] }).asked.pop()?.(0));
  await mirrored.wait(500);
  expect([await asked(), said()]).toEqual([0, before + 1]);
  expect(await lastOf(mirrored, 'p')).toMatchObject({ list: [{ kind: 'script', state: 'paused' }] });
});
