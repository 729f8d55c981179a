import { expect, it } from 'vitest';
import { Asked } from '../host/asked.ts';
import type { FileTarget } from '../host/upload.ts';

/** A target in a frame, and how often it was told that it gets no files. */
function targetIn(frame: number) {
  let cancels = 0;
  const target: FileTarget = {
    frame,
    addresses: [],
    asFolder: false,
    give: () => Promise.resolve(true),
    cancel: () => void (cancels += 1),
  };
  return { target, cancels: () => cancels };
}

it('[M-041] a chooser is answered once, by its own number', () => {
  const asked = new Asked();
  const { target, cancels } = targetIn(1);
  expect([asked.has(0), asked.take(0)]).toEqual([false, undefined]);
  const id = asked.next();
  expect(asked.has(id)).toBe(false);
  expect(asked.set({ id, target, multiple: false })).toBe(true);
  expect([asked.has(id), asked.has(id + 1), asked.take(id + 1)]).toEqual([true, false, undefined]);
  expect(asked.take(id)).toEqual({ id, target, multiple: false });
  expect([asked.has(id), asked.take(id), cancels()]).toEqual([false, undefined, 0]);
});

it('a later one takes the place of an earlier one, which gets none, whichever is known first', () => {
  const asked = new Asked();
  const [early, late, dropped] = [targetIn(1), targetIn(1), targetIn(2)];
  const [first, second] = [asked.next(), asked.next()];
  expect(asked.set({ id: first, target: early.target, multiple: false })).toBe(false);
  expect(asked.set({ id: second, target: late.target, multiple: false })).toBe(true);
  expect([early.cancels(), late.cancels()]).toEqual([1, 0]);
  const id = asked.offer(dropped.target);
  expect([first, second, id]).toEqual([1, 2, 3]);
  expect([early.cancels(), late.cancels(), asked.has(second)]).toEqual([1, 1, false]);
  expect(asked.take(id)).toEqual({ id, target: dropped.target, multiple: true });
});

it('one that comes to nothing is told so once', () => {
  const asked = new Asked();
  const { target, cancels } = targetIn(1);
  const id = asked.offer(target);
  asked.cancel();
  asked.cancel();
  expect([cancels(), asked.has(id)]).toEqual([1, false]);
});

it('a target that cannot be told is left as it is', () => {
  const asked = new Asked();
  const target: FileTarget = { frame: 1, addresses: [], asFolder: true, give: () => Promise.resolve(true) };
  const [first, second] = [asked.next(), asked.next()];
  expect(asked.set({ id: first, target, multiple: true })).toBe(false);
  expect(asked.set({ id: second, target, multiple: true })).toBe(true);
  asked.cancel();
  expect(asked.has(second)).toBe(false);
});

it.each([
  ['its frame', 2, 2, true],
  ['the page', 2, 1, true],
  ['another frame', 2, 3, false],
])('with the document of %s it is gone, and told to nobody', (_what, frame, left, isGone) => {
  const asked = new Asked();
  const { target, cancels } = targetIn(frame);
  const id = asked.offer(target);
  asked.left(left);
  expect([asked.has(id), cancels()]).toEqual([!isGone, 0]);
});

it('what is done in a document is of no use to the one that takes its place', async () => {
  const asked = new Asked();
  const done = async (frame: number, ...left: readonly number[]): Promise<string | undefined> => {
    const task = Promise.withResolvers<string>();
    const result = asked.inDocument(frame, () => task.promise);
    for (const each of left) asked.left(each);
    task.resolve('done');
    return result;
  };
  expect(await done(2)).toBe('done');
  expect(await done(2, 3)).toBe('done');
  expect(await done(2, 2)).toBeUndefined();
  expect(await done(2, 1)).toBeUndefined();
  expect(await done(2)).toBe('done');
  await expect(asked.inDocument(2, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
