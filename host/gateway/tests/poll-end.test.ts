import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PollEnd } from '../poll-end.ts';

const HOLD_MS = 12_000;
const FRAME = new Uint8Array([1, 2, 3]);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pull, and what it has been answered. */
function pulled(end: PollEnd, number: number, holdMs: number) {
  const pull: { bytes?: readonly number[]; heldMs?: number } = {};
  void end.pull(number, holdMs).then((answer) => {
    if (answer) Object.assign(pull, { bytes: [...answer.body], heldMs: answer.heldMs });
  });
  return pull;
}

describe('the host’s end of a long poll', () => {
  it('[M-077] holds a pull for as long as it asks, where nothing comes', async () => {
    const end = new PollEnd(() => undefined);
    const pull = pulled(end, 1, HOLD_MS);
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    expect(pull).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(pull).toEqual({ bytes: [], heldMs: HOLD_MS });
    const next = pulled(end, 2, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(next).toEqual({ bytes: [], heldMs: 0 });
  });

  it('[M-077] answers a held pull with what comes, and with what was there at once', async () => {
    const end = new PollEnd(() => undefined);
    const pull = pulled(end, 1, HOLD_MS);
    await vi.advanceTimersByTimeAsync(500);
    void end.send(FRAME);
    await vi.advanceTimersByTimeAsync(0);
    expect(pull).toEqual({ bytes: [1, 2, 3], heldMs: 500 });
    void end.send(FRAME);
    const next = pulled(end, 2, HOLD_MS);
    await vi.advanceTimersByTimeAsync(0);
    expect(next).toEqual({ bytes: [1, 2, 3], heldMs: 0 });
  });
});
