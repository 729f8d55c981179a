import * as v from 'valibot';
import { finite, id, text } from './atoms.ts';
import type { Packet } from './endpoint.ts';
import { AppError } from './errors.ts';
import { laneOf, LANES } from './lanes.ts';
import type { Lane } from './lanes.ts';

/** Version of everything below the plugins: frames, envelopes, core messages. Negotiated at pairing. */
export const PROTOCOL_VERSION = 3;

/** Text frames of the websocket that say whether the host knows the session (M-075). */
export const SESSION_FOUND = 'session_found';
export const SESSION_NOT_FOUND = 'session_not_found';

/** Largest text frame that a client may send, in bytes. */
export const MAX_UPSTREAM_BYTES = 1024 * 1024;

/** Longest time for which the host holds a pull, in ms (M-074). */
export const PULL_HOLD_MS = 12_000;

/** Header of a pull's answer: milliseconds for which the host has held it; no part of the round trip (M-076). */
export const BACKEND_DELAY = 'x-backend-delay';

/** Bytes before the body of a sequenced entry (kinds data, commit, canvas, picture): seq u32, lane u8, little endian. */
const SEQUENCED_HEADER_BYTES = 5;

/** Unsequenced messages of the transport itself: JSON objects, in text frames upstream, in control entries downstream. */
export interface Control {
  /** All messages up to this number have arrived. */
  readonly ack?: number;
  /** Milliseconds of the sender's clock, answered unchanged as `pong` (M-075). */
  readonly ping_time?: number;
  readonly pong?: number;
  /** Messages up to this number that have not arrived never will: their sender has forgotten them and sends its state anew. */
  readonly skip?: number;
  /** The reason why the other side ends the channel for good. */
  readonly bye?: string;
  /** Milliseconds of the host's clock, answered unchanged as `rttpong`: how the host measures a round trip. */
  readonly rttping?: number;
  readonly rttpong?: number;
  /** A number that the client answers as `anim_pong` with its next animation frame: how long it takes to show something. */
  readonly anim_ping?: number;
  readonly anim_pong?: number;
  /** Acknowledge at once: what was sent has waited for long. */
  readonly 'req-ack'?: true;
  /**
   * Send the missing again: everything up to this number has arrived, something after it has not, and nothing comes any more
   * . A transport that loses nothing never needs it; a proxy that answers a poll by itself does.
   */
  readonly srm?: number;
}

const count = id;
const time = finite;
const controlSchema = v.object({
  ack: v.exactOptional(count),
  ping_time: v.exactOptional(time),
  pong: v.exactOptional(time),
  rttping: v.exactOptional(time),
  rttpong: v.exactOptional(time),
  anim_ping: v.exactOptional(time),
  anim_pong: v.exactOptional(time),
  'req-ack': v.exactOptional(v.literal(true)),
  srm: v.exactOptional(count),
  skip: v.exactOptional(count),
  bye: v.exactOptional(text(100)),
});

/** A message with its number and lane. */
export interface Sequenced<T> {
  readonly seq: number;
  readonly lane: Lane;
  readonly body: T;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Encodes the body of a sequenced entry. */
export function encodeSequenced(seq: number, lane: Lane, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEQUENCED_HEADER_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, seq >>> 0, true);
  view.setUint8(4, LANES[lane]);
  bytes.set(body, SEQUENCED_HEADER_BYTES);
  return bytes;
}

/** @throws AppError `bad-frame`. */
export function decodeSequenced(bytes: Uint8Array): Sequenced<Uint8Array> {
  if (bytes.length < SEQUENCED_HEADER_BYTES) throw new AppError('bad-frame', 'entry shorter than its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lane = laneOf(view.getUint8(4));
  if (!lane) throw new AppError('bad-frame', 'unknown lane');
  return { seq: view.getUint32(0, true), lane, body: bytes.subarray(SEQUENCED_HEADER_BYTES) };
}

/** A value as UTF-8 JSON. */
export function encodeJson(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

/** @throws AppError `bad-frame` when the bytes are not UTF-8 JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch (cause) {
    throw new AppError('bad-frame', 'not JSON', { cause });
  }
}

/** @throws AppError `bad-frame`. */
export function parseControl(value: unknown): Control {
  const outcome = v.safeParse(controlSchema, value);
  if (!outcome.success) throw new AppError('bad-frame', 'not a control message');
  return outcome.output;
}

/** One upstream message as JSON text: an array with the sequence number prepended, `[seq, lane, ...packet]` (M-073). */
export function encodeUpstream(message: Sequenced<Packet>): unknown {
  return [message.seq, LANES[message.lane], ...message.body];
}

/**
 * Reads one upstream message: an array is a sequenced packet, whose shape is still to be checked (`parsePacket`), an object a control
 * message.
 *
 * @throws AppError `bad-frame`.
 */
export function parseUpstream(value: unknown): Sequenced<readonly unknown[]> | Control {
  if (!Array.isArray(value)) return parseControl(value);
  const [seq, laneValue, ...body] = value as unknown[];
  const lane = typeof laneValue === 'number' ? laneOf(laneValue) : undefined;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || !lane)
    throw new AppError('bad-frame', 'not a sequenced message');
  return { seq, lane, body };
}
