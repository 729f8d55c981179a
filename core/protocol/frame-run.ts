import { AppError } from './errors.ts';
import { FRAME_ENTRY_BYTES, FRAME_HEADER_BYTES } from './frames.ts';

/**
 * Splits a poll response, a sequence of frames, into its frames.
 *
 * @throws AppError `bad-frame` when the last one is incomplete.
 */
export function framesIn(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    let end = at + FRAME_HEADER_BYTES;
    const table = end <= bytes.length ? end + view.getUint32(at, true) : Infinity;
    if (table > bytes.length) throw new AppError('bad-frame', 'entry table past the end');
    for (let entry = end; entry + FRAME_ENTRY_BYTES <= table; entry += FRAME_ENTRY_BYTES)
      end += FRAME_ENTRY_BYTES + view.getUint32(entry + 1, true);
    if (end > bytes.length) throw new AppError('bad-frame', 'body past the end');
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
}
