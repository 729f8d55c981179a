import { afterAll, beforeAll, expect, it } from 'vitest';
import { OP, TRANSITION } from '../ops.ts';
import { PageBrowser } from './page-browser.ts';
import type { SeenOp } from './page-browser.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

/** Returns the reported phases of a transition, and the titles that are set. */
function reported(ops: readonly SeenOp[]): (string | number)[] {
  return ops.flatMap(({ op, text }) => {
    if (op[0] === OP.attribute && text(op[2]!) === 'title') return [text(op[3]!)];
    return op[0] === OP.transition ? [op[1]!, ...op.slice(2).map(text)] : [];
  });
}

const isOver = (ops: readonly SeenOp[]): boolean => reported(ops).includes(TRANSITION.over);

it('[M-002] the start of a view transition is sent between the changes of the old state and of the new', async () => {
  const mirrored = await browser.open('<!doctype html><p>x<style>::view-transition-group(*){animation-duration:.3s}');
  await mirrored.page.evaluate(async () => {
    const p = document.querySelector('p')!;
    p.title = 'before';
    const transition = document.startViewTransition({
      update: async () => {
        p.title = 'first';
        await new Promise((done) => setTimeout(done, 100));
        p.title = 'second';
      },
      types: ['slide'],
    });
    p.title = 'still before';
    await transition.finished;
    p.title = 'after';
  });
  const { started, changed, over } = TRANSITION;
  const all = reported(await mirrored.until(isOver));
  expect(all.filter((one) => one !== 'before' && one !== 'after')).toEqual([
    'still before',
    started,
    'slide',
    'first',
    'second',
    changed,
    over,
  ]);
});

it.each([
  ['in a frame', 'requestAnimationFrame'],
  ['after it has yielded', 'yielding'],
  ['in a task', 'setTimeout'],
])('[M-002] changes right before a view transition starts %s are part of the old state', async (_when, how) => {
  const mirrored = await browser.open('<!doctype html><p>x<style>::view-transition-group(*){animation-duration:.1s}');
  for (let n = 0; n < 5; n++) {
    await mirrored.page.evaluate(async (how) => {
      const turns: Record<string, (done: () => void) => void> = {
        requestAnimationFrame: (done) => requestAnimationFrame(done),
        yielding: (done) => void scheduler.yield().then(done),
        setTimeout: (done) => setTimeout(done),
      };
      const p = document.querySelector('p')!;
      p.title = 'before';
      await new Promise<void>((done) => turns[how]?.(done));
      p.title = 'old';
      const transition = document.startViewTransition(() => {
        p.title = 'new';
      });
      await transition.finished;
    }, how);
    const all = reported(await mirrored.until(isOver)).filter((one) => one !== 'before');
    expect(all).toEqual(['old', TRANSITION.started, 'new', TRANSITION.changed, TRANSITION.over]);
  }
});

it('a view transition without changes is sent, and its end when it is skipped', async () => {
  const mirrored = await browser.open('<!doctype html><p>x<style>::view-transition-group(*){animation-duration:9s}');
  await mirrored.page.evaluate(() => {
    Object.assign(window, { transition: document.startViewTransition() });
  });
  const { started, changed, over } = TRANSITION;
  expect(reported(await mirrored.until((ops) => reported(ops).includes(changed)))).toEqual([started, changed]);
  await mirrored.page.evaluate(() => (window as unknown as { transition: ViewTransition }).transition.skipTransition());
  expect(reported(await mirrored.until(isOver))).toEqual([over]);
});
