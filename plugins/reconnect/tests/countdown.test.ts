import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countDown, RETRY_AFTER_MS, TICK_MS } from '../client/countdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(...answers: (string | Error)[]) {
  const told: [at: number, what: string][] = [];
  const begun = Date.now();
  const tell = (what: string): void => void told.push([Date.now() - begun, what]);
  const stop = countDown({
    check: () => {
      const answer = answers.shift() ?? 'go';
      tell('check');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    onTick: (seconds) => tell(String(seconds)),
    onError: () => tell('error'),
    onGo: () => tell('go'),
  });
  return { told, stop };
}

describe('the countdown', () => {
  it('[S-077] ticks each second with the seconds left', async () => {
    const { told } = start();
    await vi.runAllTimersAsync();
    expect(told.slice(0, 3)).toEqual([
      [0, '3'],
      [1000, '2'],
      [2000, '1'],
    ]);
    expect(TICK_MS).toBe(1000);
  });

  it('[S-033] asks the traffic check at zero, and goes when it says so', async () => {
    const { told } = start('go');
    await vi.runAllTimersAsync();
    expect(told.slice(3)).toEqual([
      [3000, 'check'],
      [3000, 'go'],
    ]);
  });

  const others: [string, string | Error][] = [
    ['another answer', 'wait'],
    ['a failure', new Error('away')],
  ];
  it.each(others)('[S-033] shows the error on %s and begins again after 2 s', async (_what, answer) => {
    const { told } = start(answer, 'go');
    await vi.runAllTimersAsync();
    expect(told.slice(3)).toEqual([
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
