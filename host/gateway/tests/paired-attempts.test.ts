import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person } from '../../base/person.ts';
import { PairedAttempts } from '../paired-attempts.ts';

const anna: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost' };
const ben: Person = { ...anna, subject: 'ben' };
const tab = (n: number) => ({ version: 'ok', cid: `c${n}`, tab_id: `t${n}` }) as const;

describe('websockets that are opened with a pair request', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('get the tab of their attempt, before or after the answer', async () => {
    const attempts = new PairedAttempts();
    const early = attempts.tabOf(anna, 'one');
    attempts.paired(anna, 'one', { error: 'pairing_retry' });
    attempts.paired(anna, 'one', tab(1));
    expect(await early).toEqual({ cid: 'c1', tabId: 't1' });
    attempts.paired(anna, 'two', tab(2));
    expect(await attempts.tabOf(anna, 'two')).toEqual({ cid: 'c2', tabId: 't2' });
  });

  it('get nothing of another person’s attempt', async () => {
    const attempts = new PairedAttempts();
    attempts.paired(anna, 'one', tab(1));
    const other = attempts.tabOf(ben, 'one');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(await other).toBeUndefined();
  });

  it('wait for 45 s at most, and find an outcome for 20 s', async () => {
    const attempts = new PairedAttempts();
    const waiting = attempts.tabOf(anna, 'one');
    let outcome: unknown = 'waits';
    void waiting.then((found) => (outcome = found));
    await vi.advanceTimersByTimeAsync(44_000);
    expect(outcome).toBe('waits');
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcome).toBeUndefined();

    attempts.paired(anna, 'two', tab(2));
    await vi.advanceTimersByTimeAsync(20_000);
    const late = attempts.tabOf(anna, 'two');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(await late).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are sixteen for each person; the oldest is given up for one more', async () => {
    const attempts = new PairedAttempts();
    const all = Array.from({ length: 17 }, (_, n) => attempts.tabOf(anna, `a${n}`));
    expect(await all[0]).toBeUndefined();
    attempts.paired(anna, 'a1', tab(1));
    expect(await all[1]).toEqual({ cid: 'c1', tabId: 't1' });
    const others = attempts.tabOf(ben, 'a1');
    attempts.paired(ben, 'a1', tab(3));
    expect(await others).toEqual({ cid: 'c3', tabId: 't3' });
  });

  it('wait on where an answer has no tab, or is of no attempt', async () => {
    const attempts = new PairedAttempts();
    const waiting = attempts.tabOf(anna, 'one');
    attempts.paired(anna, 'one', { version: 'ok', cid: 'c1' });
    attempts.paired(anna, 'one', { version: 'ok', tab_id: 't1' });
    const timers = vi.getTimerCount();
    attempts.paired(anna, undefined, tab(1));
    expect(vi.getTimerCount()).toBe(timers); // nothing is kept of it
    attempts.paired(anna, 'one', tab(2));
    expect(await waiting).toEqual({ cid: 'c2', tabId: 't2' });
  });

  it('find an outcome for 20 s after it, however long the first has waited for it', async () => {
    const attempts = new PairedAttempts();
    void attempts.tabOf(anna, 'one');
    await vi.advanceTimersByTimeAsync(44_000);
    attempts.paired(anna, 'one', tab(1));
    await vi.advanceTimersByTimeAsync(19_999);
    const found: unknown[] = [];
    void attempts.tabOf(anna, 'one').then((outcome) => found.push(outcome));
    await vi.advanceTimersByTimeAsync(0);
    expect(found).toEqual([{ cid: 'c1', tabId: 't1' }]);
  });

  it('wait on where another of the same person is forgotten', async () => {
    const attempts = new PairedAttempts();
    void attempts.tabOf(anna, 'one');
    await vi.advanceTimersByTimeAsync(30_000);
    const found: unknown[] = [];
    void attempts.tabOf(anna, 'two').then((outcome) => found.push(outcome));
    await vi.advanceTimersByTimeAsync(15_000);
    attempts.paired(anna, 'two', tab(2));
    await vi.advanceTimersByTimeAsync(0);
    expect(found).toEqual([{ cid: 'c2', tabId: 't2' }]);
  });

  it('may be opened anew under a name that was given up, and outlast it', async () => {
    const attempts = new PairedAttempts();
    for (let n = 0; n < 17; n += 1) void attempts.tabOf(anna, `a${n}`);
    const found: unknown[] = [];
    void attempts.tabOf(anna, 'a0').then((outcome) => found.push(outcome));
    await vi.advanceTimersByTimeAsync(20_000);
    attempts.paired(anna, 'a0', tab(1));
    await vi.advanceTimersByTimeAsync(0);
    expect(found).toEqual([{ cid: 'c1', tabId: 't1' }]);
  });
});
