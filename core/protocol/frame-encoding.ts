import { FRAME_ENTRY_BYTES, FRAME_HEADER_BYTES } from './frames.ts';
import type { Entry } from './frames.ts';

/** Packs entries into one frame. */
export function encodeFrame(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const table = entries.length * FRAME_ENTRY_BYTES;
  let size = FRAME_HEADER_BYTES + table;
  for (const entry of entries) size += entry.body.length;
  const frame = new Uint8Array(size);
  const view = new DataView(frame.buffer);
  view.setUint32(0, table, true);
  let at = FRAME_HEADER_BYTES;
  let bodyAt = FRAME_HEADER_BYTES + table;
  for (const { kind, body } of entries) {
    view.setUint8(at, kind);
    view.setUint32(at + 1, body.length, true);
    frame.set(body, bodyAt);
    at += FRAME_ENTRY_BYTES;
    bodyAt += body.length;
  }
  return frame;
}
