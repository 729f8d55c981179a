import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessorWatch } from '../limits/processor-watch.ts';

describe('ProcessorWatch', () => {
  let watch: ProcessorWatch;
  beforeEach(() => {
    vi.useFakeTimers();
    watch = new ProcessorWatch();
  });
  afterEach(() => {
    watch.close();
    vi.useRealTimers();
  });

  /** A cell that uses so much of one processor; `yields` is its last order. */
  function cell(): { use: number; yields: boolean | undefined } {
    const state = { use: 0, yields: undefined as boolean | undefined };
    let usedMs = 0;
    let at = performance.now();
    watch.watch({
      usedMs: () => {
        usedMs += (performance.now() - at) * state.use;
        at = performance.now();
        return usedMs;
      },
      yields: (on) => {
        state.yields = on;
      },
    });
    return state;
  }

  it('makes a cell yield that keeps a processor busy for seconds, until it is calm', () => {
    const [busy, other] = [cell(), cell()];
    busy.use = 1;
    other.use = 0.3;
    vi.advanceTimersByTime(2000);
    expect(busy.yields).toBeUndefined();
    vi.advanceTimersByTime(4000);
    expect(busy.yields).toBe(true);
    busy.use = 0.4; // between both bounds: it stays
    vi.advanceTimersByTime(10_000);
    expect(busy.yields).toBe(true);
    busy.use = 0.1;
    vi.advanceTimersByTime(10_000);
    expect(busy.yields).toBe(false);
    expect(other.yields).toBeUndefined();
  });

  it('does not count what falls when a process ends, and stops when it is closed', () => {
    let usedMs = 60_000;
    let reads = 0;
    const yields = vi.fn();
    watch.watch({ usedMs: () => (reads++, (usedMs -= 1000)), yields });
    vi.advanceTimersByTime(20_000);
    expect(yields).not.toHaveBeenCalled();
    watch.close();
    const before = reads;
    vi.advanceTimersByTime(20_000);
    expect(reads).toBe(before);
  });
});
