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

/** The same, a poll later. */
const later = (mirrored: MirroredPage, selector: string) => async (): Promise<AnimationsState | undefined> => {
  await mirrored.wait();
  return lastOf(mirrored, selector);
};

/** Resolves when a scan that begins after this call has been sent: it has found the animation of a new element. */
async function scanned(mirrored: MirroredPage, id: string): Promise<void> {
  await mirrored.change((name) => {
    const mark = document.body.appendChild(Object.assign(document.createElement('i'), { id: name }));
    const animation = mark.animate({ opacity: [1, 0] }, 1000);
    animation.pause();
    animation.currentTime = 100;
  }, id);
  await expect.poll(later(mirrored, `#${id}`)).toMatchObject({ list: [{ kind: 'script', time: 100 }] });
}

it('[M-002] reports the animations of an element, their times, and their end', async () => {
  const mirrored = await browser.open(`<!doctype html>
    <style>@keyframes k { to { opacity: 0 } } .k::before { content: 'x'; animation: k 9s -4s paused } #t { transition: margin-left 99s }</style>
    <p class=k></p><p id=t></p><p id=s></p>`);
  await mirrored.change(async () => {
    const [, t, s] = document.querySelectorAll('p');
    t!.getBoundingClientRect();
    t!.style.marginLeft = '300px';
    const waiting = s!.animate({ opacity: [1, 0] }, { duration: 500, iterations: Infinity, fill: 'both' });
    waiting.pause();
    waiting.currentTime = 250;
    await Promise.all(document.getAnimations().map(({ ready }) => ready));
  });
  await scanned(mirrored, 'first');
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
  await scanned(mirrored, 'second');
  expect(mirrored.all('animate').length).toBe(before + 1); // an unchanged animation is not reported again

  await mirrored.change(() => {
    for (const animation of document.getAnimations()) animation.cancel();
  });
  for (const selector of ['.k', '#t', '#s']) await expect.poll(later(mirrored, selector)).toEqual({ list: [] });
});

it('[M-002] reports that nothing else runs when all is sent again', async () => {
  const mirrored = await browser.open('<!doctype html><style>@keyframes k { to { opacity: 0 } }</style><p>x');
  const isAll = (): boolean => mirrored.all('animate').some(({ op }) => op[1] === DOCUMENT_ID);
  mirrored.batches.length = 0;
  await mirrored.send('mirror.page-resync', {});
  await expect.poll(async () => (await mirrored.wait(), isAll())).toBe(true);
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
  await expect.poll(later(mirrored, '#in')).toMatchObject({
    list: [{ kind: 'script', time: null, scroll: { node: await mirrored.id('#box'), isView: false, axis: 'y' } }],
  });
  await expect.poll(later(mirrored, '#svg')).toEqual({ list: [], clock: [30, true] });
});

it('[R-040] scans animations in a cycle: idle, one frame requested, the frame awaited, its result sent, idle again', async () => {
  const mirrored = await browser.open('<!doctype html><p>text</p>');
  await mirrored.polled();
  // The test triggers frames.
  await mirrored.page.evaluate(() => {
    const asked: FrameRequestCallback[] = [];
    Object.assign(globalThis, { asked });
    globalThis.requestAnimationFrame = (callback) => asked.push(callback);
  });
  const asked = (): Promise<number> =>
    mirrored.page.evaluate(() => (globalThis as unknown as { asked: unknown[] }).asked.length);
  const draw = (): Promise<void> =>
    mirrored.page.evaluate(() => {
      for (const frame of (globalThis as unknown as { asked: FrameRequestCallback[] }).asked.splice(0)) frame(0);
    });
  const said = (): number => mirrored.all('animate').length;
  const idle = async (): Promise<number> => {
    await draw(); // what the document's own changes have asked for
    await mirrored.polled();
    return asked();
  };
  await expect.poll(idle).toBe(0); // nothing changes: no frame is requested
  const before = said();

  // A change that a poll sees first needs no frame.
  const afterChange = async (): Promise<number> => {
    await mirrored.page.evaluate(() => (document.querySelector('p')!.title += '.'));
    await mirrored.wait();
    return asked();
  };
  await expect.poll(afterChange).toBe(1);
  await mirrored.page.evaluate(async () => {
    const p = document.querySelector('p')!;
    p.animate({ opacity: [1, 0] }, 1000).pause();
    for (let i = 0; i < 20; i++) {
      p.title = String(i);
      await new Promise((resolve) => setTimeout(resolve, 35));
    }
  });
  await mirrored.polled();
  expect([await asked(), said()]).toEqual([1, before]);

  await draw();
  await expect.poll(later(mirrored, 'p')).toMatchObject({ list: [{ kind: 'script', state: 'paused' }] });
  await mirrored.polled();
  expect([await asked(), said()]).toEqual([0, before + 1]);
});
