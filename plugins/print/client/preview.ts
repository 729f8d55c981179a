import { AppError } from '../../../core/index.ts';
import type { SessionFacts } from '../../../core/index.ts';
import type { PrintOptions } from '../options.ts';

/**
 * Delay between two attempts, in ms, while the surrogate still makes an earlier preview, and while the browser still loads this one
 * (R-053).
 */
const PRINT_RETRY_MS = 50;
/** Maximum number of attempts for each: the host's timeout for a preview, and some seconds. */
const [PREVIEW_TRIES, PRINT_TRIES] = [1300, 100];
/** Maximum number of characters of an address in a request's own address. */
const MAX_ADDRESS = 4000;
/** Part of a PDF that contains its producer. */
const HEAD_BYTES = 64 * 1024;
/** Producer of PDFs from surrogates. */
const RENDERER = '/Producer (Skia/PDF ';

const BUSY = 409;
const FORBIDDEN = 403;
const TOO_LARGE = 413;

/** One request for a preview. */
interface PreviewCall {
  readonly signal: AbortSignal;
  /** The host has not answered, or with a status that says nothing about the document (S-106). */
  readonly onCallFailed: (message: string, status?: number) => void;
}

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
 * Fetches a preview: a PDF of the page, made by the surrogate.
 *
 * @throws AppError `print-refused` where policy forbids it; `print-too-large` past the host's bound; `print-preview` for a status other than 200, for a file that is not a PDF, and
 * for one from another producer. The reason of `signal` when aborted.
 */
export async function fetchPreview(
  facts: SessionFacts,
  options: PrintOptions,
  { signal, onCallFailed }: PreviewCall,
): Promise<Blob> {
  const address = previewAddress(facts, options);
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address, {
      credentials: 'include',
      cache: 'no-store',
      headers: { accept: 'application/pdf' },
      signal,
    }).catch((thrown: unknown) => {
      if (!signal.aborted) onCallFailed(String(thrown));
      throw thrown;
    });
    if (answer.status === BUSY && tries < PREVIEW_TRIES) {
      await pause(signal);
      continue;
    }
    if (answer.status === FORBIDDEN) throw new AppError('print-refused', 'the policy does not allow to print');
    if (answer.status === TOO_LARGE)
      throw new AppError('print-too-large', 'the document is larger than the host allows');
    if (answer.status !== 200) {
      const why = `the preview has status ${answer.status}`;
      onCallFailed(why, answer.status);
      throw new AppError('print-preview', why);
    }
    const bytes = await answer.arrayBuffer();
    if (!isOurs(bytes)) throw new AppError('print-preview', 'the preview is no PDF of a surrogate');
    return new Blob([bytes], { type: 'application/pdf' });
  }
}

function isOurs(bytes: ArrayBuffer): boolean {
  const head = new TextDecoder('latin1').decode(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, HEAD_BYTES)));
  return head.startsWith('%PDF-') && head.includes(RENDERER);
}

/** Number of sheets in a surrogate's PDF; at least one. */
export async function sheetsOf(pdf: Blob): Promise<number> {
  const text = new TextDecoder('latin1').decode(await pdf.arrayBuffer());
  return Math.max(1, text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0);
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PRINT_RETRY_MS));
  signal.throwIfAborted();
}

/** Prints the content of a frame with the browser. Retries until the frame has loaded far enough. Returns whether it succeeded. */
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
