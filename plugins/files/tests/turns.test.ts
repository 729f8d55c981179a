import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Turns, TURN_MS } from '../host/turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const [page, other] = ['page', 'other'] as const;

it('a turn is next of the owner who has the fewest, and of one owner in the order in which they came', async () => {
  const turns = new Turns(3);
  const order: string[] = [];
  const held = await Promise.all([page, page, page].map((owner) => turns.next(undefined, owner)));
  const waiting = ['a', 'b'].map((name) => turns.next(undefined, page).then(() => order.push(name)));
  const first = turns.next(undefined, other).then(() => order.push('other'));
  for (const turn of held) turn[Symbol.dispose]();
  await Promise.all([...waiting, first]);
  expect(order).toEqual(['other', 'a', 'b']);
});

it('a turn is due after a time, while somebody waits who has no more of them', async () => {
  const turns = new Turns(3);
  const [one, two] = await Promise.all([turns.next(undefined, page), turns.next(undefined, page)]);
  const own = await turns.next(undefined, other);
  vi.advanceTimersByTime(TURN_MS);
  expect(one.isDue).toBe(false); // nobody waits
  const over = new AbortController();
  const waiting = turns.next(over.signal, page);
  expect([one.isDue, two.isDue, own.isDue]).toEqual([true, true, false]);
  over.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
  expect(one.isDue).toBe(false);
  const late = turns.next(undefined, other);
  expect([one.isDue, own.isDue]).toEqual([true, true]);
  one[Symbol.dispose]();
  expect((await late).isDue).toBe(false);
});

it('an owner with all turns that each may have waits for one of these, and keeps nobody else waiting', async () => {
  const turns = new Turns(4, 2);
  const [one] = await Promise.all([turns.next(undefined, page), turns.next(undefined, page)]);
  const order: string[] = [];
  const third = turns.next(undefined, page).then(() => order.push('page'));
  const own = await turns.next(undefined, other);
  own[Symbol.dispose]();
  await Promise.resolve();
  expect(order).toEqual([]);
  one[Symbol.dispose]();
  await third;
  await Promise.all([turns.next(undefined, other), turns.next(undefined, other)]);
  expect(order).toEqual(['page']);
});
