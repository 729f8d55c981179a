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

  it('leaves no timer behind, and needs none for a pull that is not held', async () => {
    const end = new PollEnd(() => undefined);
    const now = pulled(end, 1, 0);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(now).toEqual({ bytes: [], heldMs: 0 });
    pulled(end, 2, HOLD_MS);
    expect(vi.getTimerCount()).toBe(1);
    void end.send(FRAME);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('answers the next pull alone, and one at a time', async () => {
    const end = new PollEnd(() => undefined);
    void end.send(FRAME);
    for (const number of [0, 2, -1]) expect(await end.pull(number, 0)).toBeUndefined();
    expect([...((await end.pull(1, 0))?.body ?? [])]).toEqual([1, 2, 3]);
    expect(await end.pull(1, 0)).toBeUndefined();
    const held = pulled(end, 2, HOLD_MS);
    expect(await end.pull(3, 0)).toBeUndefined();
    void end.send(FRAME);
    await vi.advanceTimersByTimeAsync(0);
    expect(held.bytes).toEqual([1, 2, 3]);
  });

  it('says that a frame has left once it is pulled', async () => {
    const end = new PollEnd(() => undefined);
    let left = 0;
    for (let n = 0; n < 2; n += 1) void end.send(FRAME).then(() => (left += 1));
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(0);
    pulled(end, 1, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(2);
  });

  it('ends a held pull when it is closed, once, and takes no more frames', async () => {
    const closed = vi.fn();
    const end = new PollEnd(closed);
    const held = pulled(end, 1, HOLD_MS);
    await vi.advanceTimersByTimeAsync(500);
    end.close('gone');
    end.close('again');
    expect([end.closed, closed.mock.calls.length]).toEqual(['gone', 1]);
    await vi.advanceTimersByTimeAsync(0);
    expect(held).toEqual({ bytes: [], heldMs: 500 });
    let left = 0;
    void end.send(FRAME).then(() => (left += 1));
    const next = pulled(end, 2, HOLD_MS);
    await vi.advanceTimersByTimeAsync(0);
    expect([left, next]).toEqual([1, { bytes: [], heldMs: 0 }]);
  });

  it('says that frames have left when it is closed, as nobody pulls them any more', async () => {
    const end = new PollEnd(() => undefined);
    let left = 0;
    void end.send(FRAME).then(() => (left += 1));
    end.close('gone');
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(1);
  });
});
