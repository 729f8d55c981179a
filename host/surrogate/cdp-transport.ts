import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../core/protocol/errors.ts';
import { messageSplitter, type MessageReader } from './cdp-messages.ts';

/** Maximum length of a command: Chromium ends the connection over a longer one. */
export const MAX_COMMAND_BYTES = 100 * 1024 * 1024 - 1;
/** Bytes of commands that the browser has not read; past them it hangs, and the connection ends. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/** Carries JSON texts to and from one browser, in order. */
export interface CdpTransport {
  /** Called once, before any `send`. `onClose` is called at most once, with the cause where there is one. */
  start(reader: MessageReader, onClose: (cause?: unknown) => void): void;
  /** Writes in call order without waiting. Does nothing once closed. */
  send(text: string): void;
  /** Idempotent; `onClose` follows. */
  close(): void;
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
    start(reader, onEnd) {
      onClose = onEnd;
      const split = messageSplitter({
        wants: (event) => reader.wants(event),
        read: (text, bytes) => open && reader.read(text, bytes),
        skipped: (message) => open && reader.skipped(message),
      });
      read.on('data', split);
      read.on('close', () => end());
      read.on('error', end);
      write.on('error', end);
    },
    send(text) {
      if (!open) return;
      if (write.writableLength > MAX_WAITING_BYTES)
        end(new AppError('cdp-closed', 'The browser does not read its commands.'));
      else write.write(text + '\0');
    },
    close: () => end(),
  };
}
