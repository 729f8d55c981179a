import { expect, it } from 'vitest';
import type { AnimationState } from '../animations.ts';
import { DOCUMENT_ID, OP, TRANSITION } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();

const SHEET = `@keyframes move { from { margin-left: 0 } to { margin-left: 1000px } }
  body { margin: 0 } .css { animation: move 100s linear } .slow { transition: margin-left 100s linear }`;
const PLAIN = { key: 1, name: '', pseudo: '', state: 'paused', time: 0, rate: 1 } as const;
const TIMING = {
  delay: 0,
  endDelay: 0,
  duration: 1000,
  iterations: 1,
  iterationStart: 0,
  direction: 'normal',
  fill: 'both',
  easing: 'linear',
  composite: 'replace',
} as const;

async function open(): Promise<PageWriter> {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html(
        [h('p', { id: 'a', class: 'css' }), h('p', { id: 'b', class: 'slow' }), h('p', { id: 'c' })],
        [h('style', { id: 'style' })],
      ),
    );
  page.sheet('style', SHEET);
  await view().feed(1, page.batch());
  return page;
}

function animate(page: PageWriter, id: string, ...list: AnimationState[]): void {
  page.op(OP.animate, page.id(id), page.text(JSON.stringify({ list })));
}

async function left(id: string): Promise<number> {
  const main = await view().main();
  return main.evaluate(
    (name) => Math.round(parseFloat(getComputedStyle(document.getElementById(name)!).marginLeft)),
    id,
  );
}

it('[M-001] sets the times of style sheet animations to those of the surrogate, and ends finished ones', async () => {
  const page = await open();
  animate(page, 'a', { ...PLAIN, kind: 'css', name: 'move', time: 40_000 });
  await view().feed(1, page.batch());
  await eventually(() => left('a')).toBe(400);
  animate(page, 'a', { ...PLAIN, kind: 'css', name: 'move', time: 70_000, state: 'running' });
  await view().feed(1, page.batch());
  await eventually(() => left('a')).toBeGreaterThanOrEqual(700);
  animate(page, 'a');
  await view().feed(1, page.batch());
  await eventually(() => left('a')).toBe(0);
});

it('[M-001] runs a transition from the start values of the surrogate', async () => {
  const page = await open();
  page.op(OP.attribute, page.id('b'), page.text('style'), page.text('margin-left: 500px'));
  animate(page, 'b', {
    ...PLAIN,
    kind: 'transition',
    name: 'margin-left',
    time: 50_000,
    frames: [{ marginLeft: '300px' }, { marginLeft: '500px' }],
    timing: { ...TIMING, duration: 100_000 },
  });
  await view().feed(1, page.batch());
  await eventually(() => left('b')).toBe(400);
});

it('[M-001] shows animations by script, changes them and removes them', async () => {
  const page = await open();
  const state = {
    ...PLAIN,
    kind: 'script',
    timing: TIMING,
    frames: [{ marginLeft: '0px' }, { marginLeft: '100px' }],
  } as const;
  animate(page, 'c', { ...state, time: 500 });
  await view().feed(1, page.batch());
  await eventually(() => left('c')).toBe(50);
  animate(page, 'c', { ...state, time: 500, frames: [{ marginLeft: '0px' }, { marginLeft: '200px' }] });
  await view().feed(1, page.batch());
  await eventually(() => left('c')).toBe(100);
  animate(page, 'c');
  await view().feed(1, page.batch());
  await eventually(() => left('c')).toBe(0);
});

it('[M-001] gives animations by script their rate, pseudo-element and timing, and changes these', async () => {
  const page = await open();
  const main = await view().main();
  const seen = (): Promise<unknown> =>
    main.evaluate(() =>
      document.getAnimations().flatMap(({ playbackRate, effect }) => {
        const { target, pseudoElement } = effect as KeyframeEffect;
        return target?.id === 'c' ? [[playbackRate, pseudoElement, effect?.getTiming().duration]] : [];
      }),
    );
  const state = { ...PLAIN, kind: 'script', frames: [{ opacity: '0' }, { opacity: '1' }], timing: TIMING } as const;
  animate(page, 'c', { ...state, pseudo: '::before', rate: 2 });
  await view().feed(1, page.batch());
  await eventually(seen).toEqual([[2, '::before', 1000]]);
  animate(page, 'c', { ...state, pseudo: '::before', rate: -1, timing: { ...TIMING, duration: 3000 } });
  await view().feed(1, page.batch());
  await eventually(seen).toEqual([[-1, '::before', 3000]]);
});

it('[M-001] ends animations that only the view runs when all has been sent', async () => {
  const page = await open();
  const main = await view().main();
  expect(await main.evaluate(() => document.getAnimations().length)).toBe(1);
  page.op(OP.animate, DOCUMENT_ID, page.text('{"list":[]}'));
  await view().feed(1, page.batch());
  await eventually(() => main.evaluate(() => document.getAnimations().length)).toBe(0);
});

it('[M-001] loads no address of a keyframe that the host has not issued', async () => {
  const page = await open();
  animate(page, 'c', {
    ...PLAIN,
    kind: 'script',
    timing: TIMING,
    time: 500,
    frames: [
      { backgroundImage: 'url("/elsewhere")', marginLeft: '0px' },
      { backgroundImage: 'url("/elsewhere")', marginLeft: '100px' },
    ],
  });
  await view().feed(1, page.batch());
  await eventually(() => left('c')).toBe(50);
  await view().frames();
  expect(view().requests).toEqual([]);
});

it('[M-001] shows view transitions from the old state to the new', async () => {
  const page = await open();
  page.sheet('style', `${SHEET} #a { width: 50px } ::view-transition-group(*) { animation-duration: 100s }`);
  await view().feed(1, page.batch());
  page.op(OP.transition, TRANSITION.started, page.text('slide'));
  page.op(OP.attribute, page.id('a'), page.text('title'), page.text('new'));
  await view().feed(1, page.batch());
  const main = await view().main();
  const seen = (): Promise<unknown[]> =>
    main.evaluate(() => [
      document.getElementById('a')!.title,
      document.documentElement.matches(':active-view-transition-type(slide)'),
      document
        .getAnimations()
        .some(({ effect }) => (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition-old')),
    ]);
  expect(await seen()).toEqual(['new', true, false]);
  await view().feed(1, page.op(OP.transition, TRANSITION.changed).batch());
  await eventually(seen).toEqual(['new', true, true]);
  await view().feed(1, page.op(OP.transition, TRANSITION.over).batch());
  await eventually(seen).toEqual(['new', false, false]);
});
