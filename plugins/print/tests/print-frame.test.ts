import { expect, it } from 'vitest';
import { printFrame } from '../client/preview.ts';

/** As specified. */
const PRINT_RETRY_MS = 50;

/** A frame that can print only after this number of calls: browsers throw while a viewer still loads. */
function frameThatPrints(after: number): { readonly frame: HTMLIFrameElement; readonly printed: number[] } {
  const printed: number[] = [];
  let left = after;
  const print = (): void => {
    if (left-- > 0) throw new DOMException('not yet', 'SecurityError');
    printed.push(performance.now());
  };
  return { frame: { contentWindow: { focus: () => undefined, print } } as unknown as HTMLIFrameElement, printed }; // the parts in use
}

it('[R-053] retries every 50 ms until the frame is printed, once', async () => {
  expect(PRINT_RETRY_MS).toBe(50);
  const { frame, printed } = frameThatPrints(3);
  const startedAt = performance.now();
  expect(await printFrame(frame, new AbortController().signal)).toBe(true);
  expect(printed).toHaveLength(1);
  expect((printed[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(3 * PRINT_RETRY_MS - 5); // timers may fire slightly early
});

it('gives up when the dialog is closed, or the frame is removed', async () => {
  const closed = new AbortController();
  const { frame, printed } = frameThatPrints(5);
  const printing = printFrame(frame, closed.signal);
  closed.abort(new Error('closed'));
  await expect(printing).rejects.toThrow('closed');
  expect(printed).toEqual([]);
  const removed = { contentWindow: null } as HTMLIFrameElement;
  expect(await printFrame(removed, new AbortController().signal)).toBe(false);
});
