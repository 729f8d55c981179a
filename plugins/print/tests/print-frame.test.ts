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

const TAB = { cid: 'c1', rid: 'r1', tab_id: 't1' };

/** Asks for the preview of a page in a tab. */
const previewOf = (pairing: object = TAB, url = 'https://site.test/'): Promise<Blob> =>
  fetchPreview(
    { pairing, pageUrl: () => url } as Partial<SessionFacts> as SessionFacts, // the parts in use
    defaultOptions('en-GB'),
    { signal: new AbortController().signal, onCallFailed: () => undefined },
  );

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
  const shown = previewOf();
  await vi.advanceTimersByTimeAsync(40 * PRINT_RETRY_MS - 1);
  expect(asked).toBe(40);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(41);
  expect((await shown).type).toBe('application/pdf');
});

it('[R-079] asks for the preview with the ids of the tab, its multi-page application and its cluster, and cookies', async () => {
  const asked: (readonly [URL, RequestInit])[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push([new URL(address, 'https://vitrine.test'), init]);
    return Promise.resolve(new Response('%PDF-1.4 /Producer (Skia/PDF m1)'));
  });
  await previewOf();
  await previewOf({ ...TAB, mpa_id: 'm1', cluster_id: 'l1' }, `https://site.test/?${'q'.repeat(5000)}`);
  const options = { layout: 'portrait', paper_size: 'a4', scale: '100', header_footer: 'true', background: 'false' };
  const queries = asked.map(([{ searchParams }]) => Object.fromEntries(searchParams));
  expect(queries).toEqual([
    { ...TAB, ...options, page_url: 'https://site.test/' },
    { ...TAB, ...options, page_url: `https://site.test/?${'q'.repeat(4000)}`.slice(0, 4000), mpa_id: 'm1', cl: 'l1' },
  ]);
  for (const [{ pathname }, { method = 'GET', ...init }] of asked)
    expect([method, pathname, init]).toMatchObject([
      'GET',
      '/r/print',
      { credentials: 'include', headers: { accept: 'application/pdf' } },
    ]);
});

it.each([
  [403, 'print-refused'],
  [413, 'print-too-large'],
  [500, 'print-preview'],
])('[R-069] a preview that is answered with status %i fails as %s', async (status, code) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status })));
  await expect(previewOf()).rejects.toMatchObject({ code });
});

it.each([
  ['status 204', '', 204],
  ['status 201', '%PDF-1.4 /Producer (Skia/PDF m1)', 201],
  ['no header', '<html> /Producer (Skia/PDF m1)', 200],
  ['a header behind something else', ' %PDF-1.4 /Producer (Skia/PDF m1)', 200],
  ['another producer', '%PDF-1.4 /Producer (Other)', 200],
])('[R-069] an answer with %s is no preview', async (_what, body, status) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body || null, { status })));
  await expect(previewOf()).rejects.toMatchObject({ code: 'print-preview' });
});
