import type { Duplex } from 'node:stream';
import { AppError } from '../../core/protocol/errors.ts';

/** Maximum length of a line in both directions, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024;
/** Maximum bytes in the queue for a reader that does not read. Above it, droppable lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** JSON values as lines over one stream. */
export interface ControlLines {
  send(value: object): void;
  /** Sends the value, or drops it when the queue is full. */
  offer(value: object): void;
}

/**
 * Frames JSON values as lines. Ends the stream after a line that is too long or not JSON, and when `onValue` throws.
 *
 * @param onEnd called once, when the stream has ended.
 */
export function controlLines(
  stream: Duplex,
  onValue: (value: unknown) => void,
  onEnd: (cause?: unknown) => void,
): ControlLines {
  let ended = false;
  const end = (cause?: unknown): void => {
    if (ended) return;
    ended = true;
    stream.destroy();
    onEnd(cause);
  };
  const split = lineSplitter((line) => {
    if (!ended) onValue(JSON.parse(line));
  });
  stream.on('data', (chunk: Buffer) => {
    try {
      split(chunk);
    } catch (thrown) {
      end(thrown);
    }
  });
  stream.on('end', () => end());
  stream.on('close', () => end());
  stream.on('error', end);
  const send = (value: object): void => {
    if (!ended) stream.write(`${JSON.stringify(value)}\n`);
  };
  return {
    send,
    offer(value) {
      if (stream.writableLength < MAX_WAITING_BYTES) send(value);
    },
  };
}

/** Splits chunks into lines. @throws AppError `bad-control` for a line longer than {@link MAX_LINE_BYTES}. */
export function lineSplitter(emit: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const tooLong = (): AppError => new AppError('bad-control', `A line is longer than ${MAX_LINE_BYTES} bytes.`);
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      if (size + end - start > MAX_LINE_BYTES) throw tooLong();
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      size = 0;
      start = end + 1;
      emit(line.toString('utf8'));
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE_BYTES) throw tooLong();
  };
}
