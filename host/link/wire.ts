import { isUtf8 } from 'node:buffer';
import { AppError } from '../../core/protocol/errors.ts';
import { MAX_TEXT } from './limits.ts';
import type { WireLimits } from './limits.ts';
import { memoryFor } from './pieces.ts';

/** The version of the wire format. */
export const LINK_VERSION = 1;
/** u32 length of the payload, u8 kind, u48 id; big-endian. */
const HEADER_BYTES = 11;
/** Bit of the kind byte: the id is one that the receiver of the frame has given out. */
export const ANSWERING = 0x80;

/** The kinds of frames. */
export const KIND = {
  hello: 1,
  goodbye: 2,
  ping: 3,
  pong: 4,
  notice: 5,
  call: 6,
  answer: 7,
  fail: 8,
  cancel: 9,
  open: 10,
  close: 11,
  /** A part of a chunk; more follows. */
  piece: 12,
  /** The last part of a chunk. */
  chunk: 13,
  end: 14,
  abort: 15,
  stop: 16,
  credit: 17,
} as const;

/** Whose id a frame may carry: none (0), its sender's, its receiver's, either's. */
type Side = 'none' | 'sender' | 'receiver' | 'either';
interface Shape {
  readonly side: Side;
  /** Bounds of the payload. */
  readonly least: keyof WireLimits | number;
  readonly most: keyof WireLimits | number;
}

const SHAPES: readonly (Shape | undefined)[] = (() => {
  const shapes: (Shape | undefined)[] = [];
  const add = (kind: number, side: Side, least: Shape['least'], most: Shape['most']): void => {
    shapes[kind] = { side, least, most };
  };
  add(KIND.hello, 'none', 2, 1024);
  add(KIND.goodbye, 'none', 2, 'jsonBytes');
  add(KIND.ping, 'sender', 0, 0);
  add(KIND.pong, 'receiver', 0, 0);
  add(KIND.notice, 'none', 2, 'jsonBytes');
  add(KIND.call, 'sender', 2, 'jsonBytes');
  add(KIND.answer, 'receiver', 2, 'jsonBytes');
  add(KIND.fail, 'receiver', 2, 'jsonBytes');
  add(KIND.cancel, 'either', 1, 1);
  add(KIND.open, 'sender', 2, 'jsonBytes');
  add(KIND.close, 'either', 2, 'jsonBytes');
  // Always full: a chunk of many small parts would cost far more memory than its bytes.
  add(KIND.piece, 'either', 'pieceBytes', 'pieceBytes');
  add(KIND.chunk, 'either', 0, 'pieceBytes');
  add(KIND.end, 'either', 0, 0);
  add(KIND.abort, 'either', 2, 'jsonBytes');
  add(KIND.stop, 'either', 2, 'jsonBytes');
  add(KIND.credit, 'either', 8, 8);
  return shapes;
})();

/** The error of a frame that no honest peer sends. */
export function malformed(what: string): AppError {
  return new AppError('link-malformed', `The link got a malformed frame: ${what}.`);
}

function writeHeader(frame: Buffer, kind: number, id: number, length: number): void {
  frame.writeUInt32BE(length, 0);
  frame[4] = kind;
  frame.writeUIntBE(id, 5, 6);
}

/** A frame's header alone; its payload is written after it. */
export function headerFrame(kind: number, id: number, length: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(frame, kind, id, length);
  return frame;
}

/** A whole frame with a JSON payload. */
export function jsonFrame(kind: number, id: number, json: string): Buffer {
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  writeHeader(frame, kind, id, length);
  frame.write(json, HEADER_BYTES, length, 'utf8');
  return frame;
}

/** The frame that gives credit back: consumed bytes and chunks. */
export function creditFrame(kind: number, id: number, bytes: number, chunks: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + 8);
  writeHeader(frame, kind, id, 8);
  frame.writeUInt32BE(bytes, HEADER_BYTES);
  frame.writeUInt32BE(chunks, HEADER_BYTES + 4);
  return frame;
}

/** The frame by which a call or stream is given up; `cause` 0: aborted, 1: its deadline has passed. */
export function cancelFrame(kind: number, id: number, cause: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + 1);
  writeHeader(frame, kind, id, 1);
  frame[HEADER_BYTES] = cause;
  return frame;
}

/** A text cut to the length that the other side accepts. */
export function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT);
}

/**
 * A JSON payload as an array.
 *
 * @throws AppError `link-malformed`
 */
export function jsonArray(payload: Buffer, least: number, most: number): readonly unknown[] {
  if (!isUtf8(payload)) throw malformed('its text is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    throw malformed('its payload is not JSON');
  }
  if (!Array.isArray(value) || value.length < least || value.length > most)
    throw malformed('its payload has another shape');
  return value;
}

/**
 * Receives whole frames. `own` is the payload where it has memory of its own, which the sink may keep; else it is valid during the call alone, since it
 * lies in the buffer of the socket.
 */
export type FrameSink = (
  kind: number,
  answering: boolean,
  id: number,
  payload: Buffer,
  own: Uint8Array | undefined,
) => void;

/**
 * Cuts a byte stream into frames, in time linear to its bytes: each byte is copied at most once, and at most one payload is
 * held. After an error or `stop` it takes nothing more.
 */
export class FrameParser {
  readonly #limits: WireLimits;
  readonly #sink: FrameSink;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFill = 0;
  #kind = 0;
  #answering = false;
  #id = 0;
  #length = -1;
  #payload: Uint8Array | undefined;
  #fill = 0;
  #stopped = false;
  #held = false;

  constructor(limits: WireLimits, sink: FrameSink) {
    this.#limits = limits;
    this.#sink = sink;
  }

  /** Takes no more bytes; the rest of the current ones is dropped. */
  stop(): void {
    this.#stopped = true;
    this.#payload = undefined;
  }

  /** Called by the sink: leaves the rest of the current bytes. */
  hold(): void {
    this.#held = true;
  }

  /**
   * Takes the next bytes, and tells how many it has taken: all, unless it was held.
   *
   * @throws AppError `link-malformed`, or what the sink throws; the parser is stopped then
   */
  push(bytes: Buffer): number {
    this.#held = false;
    try {
      let at = 0;
      while (at < bytes.length && this.#goesOn) {
        at = this.#length < 0 ? this.#takeHeader(bytes, at) : at;
        if (this.#length >= 0) at = this.#takePayload(bytes, at);
      }
      return at;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  get #goesOn(): boolean {
    return !this.#stopped && !this.#held;
  }

  #takeHeader(bytes: Buffer, at: number): number {
    if (this.#headerFill === 0 && bytes.length - at >= HEADER_BYTES) {
      this.#begin(bytes, at);
      return at + HEADER_BYTES;
    }
    const taken = bytes.copy(this.#header, this.#headerFill, at);
    this.#headerFill += taken;
    if (this.#headerFill === HEADER_BYTES) {
      this.#headerFill = 0;
      this.#begin(this.#header, 0);
    }
    return at + taken;
  }

  #begin(from: Buffer, at: number): void {
    const length = from.readUInt32BE(at);
    const byte = from.readUInt8(at + 4);
    this.#id = from.readUIntBE(at + 5, 6);
    this.#answering = (byte & ANSWERING) !== 0;
    this.#kind = byte & ~ANSWERING;
    const shape = SHAPES[this.#kind];
    if (!shape) throw malformed(`unknown kind ${this.#kind}`);
    if (length < this.#bound(shape.least) || length > this.#bound(shape.most))
      throw malformed(`${length} bytes in a frame of kind ${this.#kind}`);
    if (shape.side !== 'either' && this.#answering !== (shape.side === 'receiver'))
      throw malformed('wrong side of an id');
    if ((this.#id === 0) !== (shape.side === 'none'))
      throw malformed(`id ${this.#id} in a frame of kind ${this.#kind}`);
    this.#length = length;
    this.#fill = 0;
  }

  #bound(bound: keyof WireLimits | number): number {
    return typeof bound === 'number' ? bound : this.#limits[bound];
  }

  #takePayload(bytes: Buffer, at: number): number {
    const length = this.#length;
    if (!this.#payload && bytes.length - at >= length) {
      this.#emit(bytes.subarray(at, at + length), undefined);
      return at + length;
    }
    if (at === bytes.length) return at;
    this.#payload ??= this.#isBytes ? memoryFor(length) : Buffer.allocUnsafeSlow(length);
    const taken = bytes.copy(this.#payload, this.#fill, at);
    this.#fill += taken;
    if (this.#fill === length) {
      const payload = this.#payload;
      this.#payload = undefined;
      this.#emit(Buffer.from(payload.buffer, payload.byteOffset, payload.length), payload);
    }
    return at + taken;
  }

  get #isBytes(): boolean {
    return this.#kind === KIND.piece || this.#kind === KIND.chunk;
  }

  #emit(payload: Buffer, own: Uint8Array | undefined): void {
    this.#length = -1;
    this.#fill = 0;
    this.#sink(this.#kind, this.#answering, this.#id, payload, own);
  }
}
