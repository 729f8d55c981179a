import { expect, it } from 'vitest';
import { PRINT_RETRY_MS, printFrame } from '../client/preview.ts';

/** A frame that can print after it has been told to so often: browsers throw while a viewer still loads. */
function frameThatPrints(after: number): { readonly frame: HTMLIFrameElement; readonly printed: number[] } {
  const printed: number[] = [];
  let left = after;
  const print = (): void => {
    if (left-- > 0) throw new DOMException('not yet', 'SecurityError');
    printed.push(performance.now());
  };
  return { frame: { contentWindow: { focus: () => undefined, print } } as unknown as HTMLIFrameElement, printed }; // all that is asked of it
}

it('[R-053] tries every 50 ms to print what is shown, once', async () => {
  expect(PRINT_RETRY_MS).toBe(50);
  const { frame, printed } = frameThatPrints(3);
  const begun = performance.now();
  expect(await printFrame(frame, new AbortController().signal)).toBe(true);
  expect(printed).toHaveLength(1);
  expect((printed[0] ?? 0) - begun).toBeGreaterThanOrEqual(3 * PRINT_RETRY_MS - 5); // timers may be early by a little
});

it('gives up when the dialog is closed, or the frame is gone', async () => {
  const closed = new AbortController();
  const { frame, printed } = frameThatPrints(5);
  const printing = printFrame(frame, closed.signal);
  closed.abort(new Error('closed'));
  await expect(printing).rejects.toThrow('closed');
  expect(printed).toEqual([]);
  const gone = { contentWindow: null } as HTMLIFrameElement; // a frame that has been removed
  expect(await printFrame(gone, new AbortController().signal)).toBe(false);
});
