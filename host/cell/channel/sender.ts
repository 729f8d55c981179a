import { encodeFrame } from '../../../core/protocol/frame-encoding.ts';
import { FRAME_ENTRY_BYTES, KIND, MAX_FRAME_ENTRIES, pieceAt, piecesOf } from '../../../core/protocol/frames.ts';
import type { Entry, Kind } from '../../../core/protocol/frames.ts';
import { INBOX_WINDOW } from '../../../core/protocol/sequence.ts';
import { encodeJson, encodeSequenced } from '../../../core/protocol/wire.ts';
import type { Control } from '../../../core/protocol/wire.ts';
import type { Lane } from '../../../core/protocol/lanes.ts';
import type { ChannelTransport } from './channel-transport.ts';

/** Bytes that may wait in the transport before lanes that answer the person are held back. */
export const HIGH_WATER_BYTES = 1024 * 1024;
/** The same for all other lanes: what a key's echo may have to wait for. */
export const LOW_WATER_BYTES = 256 * 1024;
/** Bodies gathered in one frame, in bytes; the first entry of each lane may pass it. */
const FRAME_BODY_BYTES = 64 * 1024;
/** How far lanes may overtake the oldest message that waits: the client refuses what is too far ahead of what it misses. */
const MAX_AHEAD = INBOX_WINDOW / 2;

/** Lanes as they are emptied, and how much may wait in the transport for each. */
const ORDER: readonly { readonly lane: Lane; readonly water: number }[] = [
  { lane: 'control', water: HIGH_WATER_BYTES },
  { lane: 'input', water: HIGH_WATER_BYTES },
  { lane: 'feature', water: LOW_WATER_BYTES },
  { lane: 'view', water: LOW_WATER_BYTES },
  { lane: 'bulk', water: LOW_WATER_BYTES },
];

/** A numbered message on its way to the client. */
export interface Outgoing {
  readonly kind: Kind;
  readonly lane: Lane;
  /** Empty once a newer message has superseded this one: the number still has to arrive. */
  body: Uint8Array;
  /** Subject that the message describes: a newer message about it supersedes this one. */
  readonly subject?: string;
  /** Its first piece has left over the present transport. */
  isLeaving: boolean;
}

interface Waiting {
  readonly seq: number;
  readonly message: Outgoing;
  bytes: number;
  /** How it travels, once it is its turn. */
  leaving?: { readonly entry: Entry; readonly id: number; next: number };
}

/**
 * Empties lanes into one transport: several messages to a frame, large messages in pieces, so that a small message of another
 * lane overtakes them, and nothing while the transport is full. Lives as long as the transport.
 */
export class Sender {
  readonly #transport: ChannelTransport;
  readonly #onBlocked: (blocked: boolean) => void;
  readonly #lanes = new Map<Lane, Waiting[]>(ORDER.map(({ lane }) => [lane, []]));
  readonly #controls: Control[] = [];
  #partials = 0;
  #bytes = 0;
  #count = 0;
  #blocked = false;
  #scheduled = false;
  readonly #unwatch: () => void;
  #stopped = false;

  /** `onBlocked` is called when messages have to wait for the transport, and when they no longer do. */
  constructor(transport: ChannelTransport, onBlocked: (blocked: boolean) => void) {
    this.#transport = transport;
    this.#onBlocked = onBlocked;
    this.#unwatch = transport.onPending(() => {
      if (this.#count > 0) this.#schedule();
    });
  }

  /** Bytes of the messages that wait here. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Messages that wait here. */
  get count(): number {
    return this.#count;
  }

  push(seq: number, message: Outgoing): void {
    const { body, lane } = message;
    message.isLeaving = false;
    this.#lanes.get(lane)?.push({ seq, message, bytes: body.length });
    this.#bytes += body.length;
    this.#count += 1;
    this.#schedule();
  }

  /** Goes before everything else. */
  control(control: Control): void {
    this.#controls.push(control);
    this.#schedule();
  }

  /** A message that waits here has lost so many bytes. */
  lightened(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Hands over what waits, as far as the transport takes it, now. */
  flush(): void {
    if (this.#stopped) return;
    for (let frame = this.#next(); frame.length > 0; frame = this.#next()) this.#transport.send(encodeFrame(frame));
    // Large bodies wait by themselves, and hold nobody back.
    this.#setBlocked(this.#count > (this.#lanes.get('bulk')?.length ?? 0));
  }

  /** Stops sending over this transport. */
  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#setBlocked(false);
  }

  /** Schedules a flush, so that messages of one turn of the event loop share a frame. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** The entries of the next frame; none when nothing waits, or nothing may leave. Every lane has its share. */
  #next(): Entry[] {
    const entries: Entry[] = this.#controls
      .splice(0, MAX_FRAME_ENTRIES)
      .map((control) => ({ kind: KIND.control, body: encodeJson(control) }));
    let size = entries.reduce((sum, entry) => sum + entry.body.length + FRAME_ENTRY_BYTES, 0);
    if (this.#count === 0) return entries;
    const { pending } = this.#transport;
    const oldest = Math.min(...[...this.#lanes.values()].map((queue) => queue[0]?.seq ?? Infinity));
    for (const { lane, water } of ORDER) {
      if (pending >= water) continue;
      const queue = this.#lanes.get(lane) ?? [];
      let done = 0;
      for (let isFirst = true; entries.length < MAX_FRAME_ENTRIES; isFirst = false) {
        const waiting = queue[done];
        if (!waiting || waiting.seq >= oldest + MAX_AHEAD || !(isFirst || size < FRAME_BODY_BYTES)) break;
        const { entry, isLast } = this.#piece(waiting);
        entries.push(entry);
        size += entry.body.length + FRAME_ENTRY_BYTES;
        if (isLast) {
          done += 1;
          this.#bytes -= waiting.bytes;
        }
      }
      queue.splice(0, done);
      this.#count -= done;
    }
    return entries;
  }

  /** The next piece of a message; it is cut only now, so that what waits is kept once. */
  #piece(waiting: Waiting): { readonly entry: Entry; readonly isLast: boolean } {
    const { seq, message } = waiting;
    if (!waiting.leaving) {
      const { kind, lane, body } = message;
      waiting.leaving = { entry: { kind, body: encodeSequenced(seq, lane, body) }, id: (this.#partials += 1), next: 0 };
      waiting.bytes = body.length;
      message.isLeaving = true;
    }
    const { entry, id } = waiting.leaving;
    const piece = pieceAt(entry, id, waiting.leaving.next++);
    return { entry: piece, isLast: waiting.leaving.next === piecesOf(entry) };
  }

  #setBlocked(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.#onBlocked(blocked);
  }
}
