import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toAppError } from '../../../../core/protocol/errors.ts';
import { NamePace } from '../name-pace.ts';

let slowed: number;
let pace: NamePace;
beforeEach(() => {
  vi.useFakeTimers();
  slowed = 0;
  pace = new NamePace(60, () => (slowed += 1));
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks for names; returns those whose turn has come, or why it does not. */
function ask(from: number, count: number, now: number): string[] {
  const turns: string[] = [];
  for (let at = from; at < from + count; at += 1)
    pace.turn(`n${at}.test`, now).then(
      () => turns.push(`n${at}`),
      (thrown: unknown) => turns.push(toAppError(thrown).code),
    );
  return turns;
}

it('lets as many names through as there are for a minute, and others at their pace', async () => {
  const first = ask(0, 60, 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(first).toHaveLength(60);
  expect(slowed).toBe(0);
  const late = ask(60, 3, 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(late).toEqual([]);
  expect(slowed).toBe(3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(late).toEqual(['n60']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(late).toEqual(['n60', 'n61', 'n62']);
});

it('refuses a name that would wait for too long, and counts it no further', async () => {
  const turns = ask(0, 1000, 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(turns.filter((turn) => turn === 'too-many-names')).toHaveLength(930);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(turns.filter((turn) => turn !== 'too-many-names')).toHaveLength(70);
  const later = ask(2000, 1, 71_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(later).toEqual(['n2000']);
});

it('counts a name once in a minute', async () => {
  ask(0, 60, 0);
  const again = ask(0, 60, 59_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(again).toHaveLength(60);
  expect(slowed).toBe(0);
  const waiting = ask(100, 60, 59_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(waiting).toHaveLength(59);
  // A second connection to a name that waits has the same turn.
  const same = ask(159, 1, 59_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(same).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(same).toEqual(['n159']);
});

it('counts a name again after a minute, and says that a refused one may come later', async () => {
  ask(0, 60, 0);
  ask(0, 60, 60_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(slowed).toBe(0);
  ask(100, 10, 60_000);
  expect(slowed).toBe(10); // the minute is full
  await expect(pace.turn('late.test', 60_000)).rejects.toMatchObject({ code: 'too-many-names', retryable: true });
});
