import type { Helper } from '../../../core/index.ts';

/** Bytes of one request: one that is cut costs no more than this. */
const PART_BYTES = 32 * 1024 * 1024;
/** Requests that may fail in a row, and the pause after the first one, in ms; each further pause is twice as long. */
const MAX_FAILURES = 6;
const PAUSE_MS = 500;

interface SendOptions {
  readonly helper: Helper;
  readonly file: File;
  /** Parameters of the request, besides the place of the part (S-120). */
  readonly query: Readonly<Record<string, string>>;
  /** Bytes that the host has said it has; undefined before it has said anything. */
  readonly received: () => number | undefined;
  /** Called with the bytes that have left. */
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file to the host, in parts. After a cut it goes on where the host is. Rejects with the last error where that fails too often, and when
 * aborted.
 */
export async function sendFile({ helper, file, query, received, onSent, signal }: SendOptions): Promise<void> {
  let failures = 0;
  let at = 0;
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
      failures += 1;
      if (failures >= MAX_FAILURES) throw thrown;
      await pause(PAUSE_MS * 2 ** (failures - 1), signal);
      const known = received();
      if (known === file.size) return; // the answer was lost, the file was not
      at = known ?? at;
      onSent(at);
    }
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
