import { AppError } from '../../../core/index.ts';
import type { Helper } from '../../../core/index.ts';

/** Bytes of one request: one that is cut costs no more than this. */
const PART_BYTES = 32 * 1024 * 1024;
/** Requests that may fail in a row while the host gets no further byte, and the pause after the first one, in ms; each further pause is twice as long. */
const MAX_FAILURES = 6;
const PAUSE_MS = 500;
/** Code of the error about a file that has changed on the device since it was chosen. */
export const FILE_CHANGED = 'file-changed';

interface SendOptions {
  readonly helper: Helper;
  readonly file: File;
  /** A part of it may be there: the host is asked first. */
  readonly isAgain?: boolean;
  /** Parameters of the request, besides the place of the part (S-120). */
  readonly query: Readonly<Record<string, string>>;
  /** Asks the host for the bytes that it has, once the channel is connected; null where it wants no more. Rejects where the channel is lost. */
  readonly resume: () => Promise<number | null>;
  /** Reports a request that has failed, by its label (S-106). */
  readonly onCallFailed: (label: string, thrown: unknown) => void;
  /** Called with the bytes that have left. */
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file to the host, in parts. After a cut it waits for the host, goes on where that is, and so begins no request while the channel is away.
 * Rejects with the last error where that fails too often, where the channel is lost, where the file has changed, and when aborted.
 */
export async function sendFile({
  helper,
  file,
  isAgain,
  query,
  resume,
  onCallFailed,
  onSent,
  signal,
}: SendOptions): Promise<void> {
  let failures = 0;
  const first = isAgain === true ? await resume() : 0;
  if (first === null) return; // all of it is there
  let at = first;
  for (;;) {
    signal.throwIfAborted();
    const part = file.slice(at, at + PART_BYTES);
    const begin = at;
    try {
      const params = { query: { ...query, offset: String(at) }, field: 'file', name: 'file' };
      await helper.call('upload', params, part, (share) => onSent(begin + share * part.size));
      at += part.size;
      failures = 0;
      onSent(at);
      if (at >= file.size) return;
    } catch (thrown) {
      if (await hasChanged(file, at)) throw new AppError(FILE_CHANGED, 'The file has changed.', { cause: thrown });
      if (!signal.aborted) onCallFailed('upload', thrown);
      failures += 1;
      if (failures >= MAX_FAILURES) throw thrown;
      await pause(PAUSE_MS * 2 ** (failures - 1), signal);
      signal.throwIfAborted();
      const received = await resume();
      if (received === null) return; // the answer was lost, the file was not
      if (received > at) failures = 0;
      at = received;
      onSent(at);
    }
  }
}

/** Whether the browser does not read a file any more: it has changed, or is gone. The error of a request does not tell. */
async function hasChanged(file: File, at: number): Promise<boolean> {
  try {
    await file.slice(at, at + 1).arrayBuffer();
    return false;
  } catch (thrown) {
    return thrown instanceof DOMException && thrown.name === 'NotReadableError';
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
