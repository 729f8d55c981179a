import { afterEach, beforeEach, vi } from 'vitest';
import type { Clipboard, ClipboardContent, HeldClipboard } from '../host/clipboard.ts';

export type Surrogate = ReturnType<typeof surrogate>;

/** The surrogate's clipboard as a test plays it: what it holds, what is done with it, and how often it has been read. */
export function surrogate() {
  const done: string[] = [];
  const held = { content: {} as ClipboardContent };
  let reads = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const clipboard: Clipboard = {
    use: <T>(run: (inHand: HeldClipboard) => Promise<T>) => {
      const next = turn.then(() =>
        run({
          read: async () => {
            reads += 1;
            return held.content;
          },
          write: async (content) => {
            held.content = content;
            done.push(`write ${Object.keys(content).join()}`);
          },
        }),
      );
      turn = next.catch(() => undefined);
      return next;
    },
    warm: () => void done.push('warm'),
  };
  return { done, held, clipboard, reads: () => reads };
}

/** Has the clock stand still in the tests of a file: the two seconds of a gesture pass only where a test says so. */
export function stopClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(10_000);
  });
  afterEach(() => void vi.useRealTimers());
}
