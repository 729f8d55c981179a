import { AppError } from '../../../core/index.ts';
import type { SessionFacts } from '../../../core/index.ts';
import type { PrintOptions } from '../options.ts';

/** Between two tries, in ms, while the surrogate is still at an earlier preview, and while the browser still loads this one. */
export const PRINT_RETRY_MS = 50;
/** How often each is tried: for as long as the host may be at one, and for some seconds. */
const [PREVIEW_TRIES, PRINT_TRIES] = [1300, 100];
/** Of an address, only so much goes into a request's own. */
const MAX_ADDRESS = 4000;
/** Where a PDF says what has made it. */
const HEAD_BYTES = 64 * 1024;
/** What surrogates make PDFs with. */
const RENDERER = '/Producer (Skia/PDF ';

const BUSY = 409;
const FORBIDDEN = 403;

/** The address of a preview. */
function previewAddress({ pairing, pageUrl }: SessionFacts, options: PrintOptions): string {
  const { cid, rid, tab_id, mpa_id, cluster_id } = pairing;
  const query = new URLSearchParams({
    cid,
    rid,
    tab_id,
    ...(mpa_id !== undefined && { mpa_id }),
    page_url: pageUrl().slice(0, MAX_ADDRESS),
    ...(cluster_id !== undefined && { cl: cluster_id }),
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)])),
  });
  return `/r/print?${query}`;
}

/**
 * Fetches a preview: what a surrogate has made of the page.
 *
 * @throws AppError `print-refused` where policy forbids it; `print-preview` for another status than 200, for what is no PDF, and for one
 * that no renderer of ours has made. Whatever `signal` is aborted with.
 */
export async function fetchPreview(facts: SessionFacts, options: PrintOptions, signal: AbortSignal): Promise<Blob> {
  const address = previewAddress(facts, options);
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address, {
      credentials: 'include',
      cache: 'no-store',
      headers: { accept: 'application/pdf' },
      signal,
    });
    if (answer.status === BUSY && tries < PREVIEW_TRIES) {
      await pause(signal);
      continue;
    }
    if (answer.status === FORBIDDEN) throw new AppError('print-refused', 'the policy does not allow to print');
    if (answer.status !== 200) throw new AppError('print-preview', `the preview has status ${answer.status}`);
    const bytes = await answer.arrayBuffer();
    if (!isOurs(bytes)) throw new AppError('print-preview', 'the preview is no PDF of a surrogate');
    return new Blob([bytes], { type: 'application/pdf' });
  }
}

function isOurs(bytes: ArrayBuffer): boolean {
  const head = new TextDecoder('latin1').decode(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, HEAD_BYTES)));
  return head.startsWith('%PDF-') && head.includes(RENDERER);
}

/** How many sheets a PDF of a surrogate has; at least one. */
export async function sheetsOf(pdf: Blob): Promise<number> {
  const text = new TextDecoder('latin1').decode(await pdf.arrayBuffer());
  return Math.max(1, text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0);
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PRINT_RETRY_MS));
  signal.throwIfAborted();
}

/**
 * Has the browser print what a frame shows; tried again until it has loaded so far that it can. Answers with whether it could.
 */
export async function printFrame(frame: HTMLIFrameElement, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < PRINT_TRIES; tries += 1) {
    try {
      const { contentWindow } = frame;
      if (!contentWindow) return false;
      contentWindow.focus();
      contentWindow.print();
      return true;
    } catch {
      await pause(signal);
    }
  }
  return false;
}
