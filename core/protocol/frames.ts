import { AppError } from './errors.ts';

/** Wire message kinds. */
export const KIND = { data: 1, control: 2, commit: 3, canvas: 4, picture: 5, partial: 6 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

/** One part of a downstream frame: a kind and its bytes. */
export interface Entry {
  readonly kind: Kind;
  readonly body: Uint8Array;
}

/** Bytes of the length header of a frame: size of the entry table that follows, little endian. */
export const FRAME_HEADER_BYTES = 4;
/** Bytes of one entry of the table: kind u8, body length u32 little endian; the bodies follow the table in order. */
export const FRAME_ENTRY_BYTES = 5;
/** Bytes of the header of a partial: id u32, kind u32, total u32, index u32, little endian. */
export const PARTIAL_HEADER_BYTES = 16;
/** Largest body of a partial, in bytes: what a small message of another lane may have to wait for. */
export const PARTIAL_BODY_BYTES = 64 * 1024;
/** Largest whole message, in bytes; past it a frame is refused. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Largest number of entries in one frame. */
export const MAX_FRAME_ENTRIES = 1024;
/** Largest number of messages that may be in the middle of reassembly. */
export const MAX_OPEN_PARTIALS = 64;

function isKind(value: number): value is Kind {
  return value >= KIND.data && value <= KIND.partial;
}

/**
 * Unpacks a frame; bodies are views of the given bytes.
 *
 * @throws AppError `bad-frame` when lengths, kinds or counts do not fit.
 */
export function decodeFrame(frame: Uint8Array): Entry[] {
  const bad = (why: string): AppError => new AppError('bad-frame', why);
  if (frame.length < FRAME_HEADER_BYTES) throw bad('shorter than its header');
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const table = view.getUint32(0, true);
  if (table % FRAME_ENTRY_BYTES !== 0 || table > MAX_FRAME_ENTRIES * FRAME_ENTRY_BYTES)
    throw bad('entry table of a wrong size');
  let bodyAt = FRAME_HEADER_BYTES + table;
  if (bodyAt > frame.length) throw bad('entry table past the end');
  const entries: Entry[] = [];
  for (let at = FRAME_HEADER_BYTES; at < FRAME_HEADER_BYTES + table; at += FRAME_ENTRY_BYTES) {
    const kind = view.getUint8(at);
    const length = view.getUint32(at + 1, true);
    if (!isKind(kind)) throw bad(`unknown kind ${kind}`);
    if (bodyAt + length > frame.length) throw bad('body past the end');
    entries.push({ kind, body: frame.subarray(bodyAt, bodyAt + length) });
    bodyAt += length;
  }
  if (bodyAt !== frame.length) throw bad('bytes after the last body');
  return entries;
}

/** The number of entries that a message travels in: partials when it does not fit in one. */
export function piecesOf(entry: Entry): number {
  return Math.max(1, Math.ceil(entry.body.length / PARTIAL_BODY_BYTES));
}

/** One of the entries that a message travels in: a copy of its part of the body, or the message itself when it fits in one. */
export function pieceAt(entry: Entry, id: number, index: number): Entry {
  const total = piecesOf(entry);
  if (total === 1) return entry;
  const piece = entry.body.subarray(index * PARTIAL_BODY_BYTES, (index + 1) * PARTIAL_BODY_BYTES);
  const body = new Uint8Array(PARTIAL_HEADER_BYTES + piece.length);
  const view = new DataView(body.buffer);
  view.setUint32(0, id >>> 0, true);
  view.setUint32(4, entry.kind, true);
  view.setUint32(8, total, true);
  view.setUint32(12, index, true);
  body.set(piece, PARTIAL_HEADER_BYTES);
  return { kind: KIND.partial, body };
}

interface OpenMessage {
  readonly kind: Kind;
  readonly pieces: (Uint8Array | undefined)[];
  missing: number;
  bytes: number;
}

/** Puts partials together again, in whatever order they come. One per connection: drop it with the connection. */
export class Reassembly {
  readonly #open = new Map<number, OpenMessage>();
  #bytes = 0;

  /**
   * Takes one entry; answers with the whole message once it is complete, at once for entries that are no partials.
   *
   * @throws AppError `bad-frame` when a header contradicts itself or earlier pieces, or bounds are passed.
   */
  take(entry: Entry): Entry | undefined {
    if (entry.kind !== KIND.partial) return entry;
    const { body } = entry;
    if (body.length <= PARTIAL_HEADER_BYTES) throw new AppError('bad-frame', 'partial without a body');
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const id = view.getUint32(0, true);
    const kind = view.getUint32(4, true);
    const total = view.getUint32(8, true);
    const index = view.getUint32(12, true);
    if (!isKind(kind) || kind === KIND.partial) throw new AppError('bad-frame', 'partial of no kind');
    if (total < 2 || total > MAX_MESSAGE_BYTES / PARTIAL_BODY_BYTES || index >= total)
      throw new AppError('bad-frame', 'partial counts do not fit');
    const open = this.#open.get(id) ?? this.#begin(id, kind, total);
    if (open.kind !== kind || open.pieces.length !== total || open.pieces[index])
      throw new AppError('bad-frame', 'partial contradicts an earlier one');
    const piece = body.slice(PARTIAL_HEADER_BYTES);
    open.pieces[index] = piece;
    open.bytes += piece.length;
    this.#bytes += piece.length;
    if (this.#bytes > MAX_MESSAGE_BYTES) throw new AppError('bad-frame', 'too much in reassembly');
    if (--open.missing > 0) return undefined;
    this.#open.delete(id);
    this.#bytes -= open.bytes;
    const whole = new Uint8Array(open.bytes);
    let at = 0;
    for (const part of open.pieces) {
      if (!part) continue; // none is missing: the count has reached zero
      whole.set(part, at);
      at += part.length;
    }
    return { kind, body: whole };
  }

  #begin(id: number, kind: Kind, total: number): OpenMessage {
    if (this.#open.size >= MAX_OPEN_PARTIALS) throw new AppError('bad-frame', 'too many in reassembly');
    const open: OpenMessage = { kind, pieces: new Array<Uint8Array | undefined>(total), missing: total, bytes: 0 };
    this.#open.set(id, open);
    return open;
  }
}
