import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countDown, RETRY_AFTER_MS } from '../client/countdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(...answers: (string | Error)[]) {
  const received: [at: number, what: string][] = [];
  const startedAt = Date.now();
  const record = (what: string): void => void received.push([Date.now() - startedAt, what]);
  const stop = countDown({
    check: () => {
      const answer = answers.shift() ?? 'go';
      record('check');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    onTick: (seconds) => record(String(seconds)),
    onError: () => record('error'),
    onGo: () => record('go'),
  });
  return { received, stop };
}

describe('the countdown', () => {
  it('[S-077] ticks each second with the seconds left', async () => {
    const { received } = start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received.slice(0, 3)).toEqual([
      [0, '3'],
      [1000, '2'],
      [2000, '1'],
    ]);
  });

  it('[S-033] runs the traffic check at zero, and reloads when it allows it', async () => {
    const { received } = start('go');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received.slice(3)).toEqual([
      [3000, 'check'],
      [3000, 'go'],
    ]);
  });

  const others: [string, string | Error][] = [
    ['another answer', 'wait'],
    ['a failure', new Error('away')],
  ];
  it.each(others)('[S-033] shows the error on %s and restarts after 2 s', async (_what, answer) => {
    const { received } = start(answer, 'go');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received.slice(3)).toEqual([
      [3000, 'check'],
      [3000, 'error'],
      [5000, '3'],
      [6000, '2'],
      [7000, '1'],
      [8000, 'check'],
      [8000, 'go'],
    ]);
    expect(RETRY_AFTER_MS).toBe(2000);
  });

  it('leaves nothing behind when it is stopped', () => {
    const { stop } = start('wait');
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
