import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../core/protocol/errors.ts';

/** Maximum length of a message from a browser. Above it the browser is broken or hostile, and the connection ends. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** Maximum length of a command: Chromium ends the connection over a longer one. */
export const MAX_COMMAND_BYTES = 100 * 1024 * 1024 - 1;

/** Carries JSON texts to and from one browser, in order. */
export interface CdpTransport {
  /** Called once, before any `send`. `onClose` is called at most once, with the cause where there is one. */
  start(onMessage: (text: string) => void, onClose: (cause?: unknown) => void): void;
  /** Writes in call order without waiting. Does nothing once closed. */
  send(text: string): void;
  /** Idempotent; `onClose` follows. */
  close(): void;
}

/**
 * Splits a stream of chunks into NUL-terminated texts. Chunks of an unfinished message are kept as they are and joined
 * once, so that a message of many megabytes costs one copy.
 *
 * @throws AppError `cdp-closed` when a message grows past `limit` bytes.
 */
export function nulSplitter(emit: (text: string) => void, limit = MAX_MESSAGE_BYTES): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      if (parts.length === 0) {
        emit(chunk.toString('utf8', start, end));
      } else {
        const whole = Buffer.concat([...parts, chunk.subarray(start, end)]);
        parts = [];
        size = 0;
        emit(whole.toString('utf8'));
      }
      start = end + 1;
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > limit) throw new AppError('cdp-closed', `The browser sent a message of more than ${limit} bytes.`);
  };
}

/**
 * A transport over `--remote-debugging-pipe`: `read` is the browser's fd 4, `write` its fd 3. Takes ownership of both
 * streams.
 */
export function pipeTransport(read: Readable, write: Writable): CdpTransport {
  let open = true;
  let onClose: (cause?: unknown) => void;
  const end = (cause?: unknown): void => {
    if (!open) return;
    open = false;
    read.destroy();
    write.destroy();
    onClose(cause);
  };
  return {
    start(onMessage, onEnd) {
      onClose = onEnd;
      const split = nulSplitter((text) => {
        if (open) onMessage(text);
      });
      read.on('data', (chunk: Buffer) => {
        try {
          split(chunk);
        } catch (error) {
          end(error);
        }
      });
      read.on('close', () => end());
      read.on('error', end);
      write.on('error', end);
    },
    send(text) {
      if (open) write.write(text + '\0');
    },
    close: () => end(),
  };
}
