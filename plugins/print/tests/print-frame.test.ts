import { afterEach, expect, it, vi } from 'vitest';
import type { SessionFacts } from '../../../core/index.ts';
import { fetchPreview, printFrame } from '../client/preview.ts';
import { defaultOptions } from '../options.ts';

/** As specified. */
const PRINT_RETRY_MS = 50;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
  vi.useFakeTimers();
  const { frame, printed } = frameThatPrints(3);
  const printing = printFrame(frame, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(3 * PRINT_RETRY_MS - 1);
  expect(printed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(printed).toHaveLength(1);
  expect(await printing).toBe(true);
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

it('[R-053] asks for the preview every 50 ms while the surrogate still makes an earlier one', async () => {
  vi.useFakeTimers();
  let asked = 0;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    const answer = asked <= 40 ? new Response(null, { status: 409 }) : new Response('%PDF-1.4 /Producer (Skia/PDF m1)');
    return Promise.resolve(answer);
  });
  const facts = { pairing: { cid: 'c1', rid: 'r1', tab_id: 't1' }, pageUrl: () => 'https://site.test/' };
  const shown = fetchPreview(
    facts as Partial<SessionFacts> as SessionFacts, // the parts in use
    defaultOptions('en-GB'),
    new AbortController().signal,
  );
  await vi.advanceTimersByTimeAsync(40 * PRINT_RETRY_MS - 1);
  expect(asked).toBe(40);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(41);
  expect((await shown).type).toBe('application/pdf');
});
