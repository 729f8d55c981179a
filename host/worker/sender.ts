import { encodeFrame, FRAME_ENTRY_BYTES, KIND, MAX_FRAME_ENTRIES, splitEntry } from '../../core/protocol/frames.ts';
import type { Entry, Kind } from '../../core/protocol/frames.ts';
import { encodeJson, encodeSequenced } from '../../core/protocol/wire.ts';
import type { Control } from '../../core/protocol/wire.ts';
import type { Lane } from '../../core/protocol/lanes.ts';
import type { TransportEnd } from '../link.ts';

/** Bytes that may wait in the transport before lanes that answer the person are held back. */
export const HIGH_WATER_BYTES = 1024 * 1024;
/** The same for all other lanes: what a key's echo may have to wait for. */
export const LOW_WATER_BYTES = 256 * 1024;
/** How often a transport that was full is looked at again. */
const DRAIN_POLL_MS = 8;
/** Bodies gathered in one frame, in bytes; one entry may pass it. */
const FRAME_BODY_BYTES = 64 * 1024;

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
  readonly body: Uint8Array;
}

/**
 * Empties lanes into one transport: several messages to a frame, large messages in pieces, so that a small message of another
 * lane overtakes them, and nothing while the transport is full. Lives as long as the transport.
 */
export class Sender {
  readonly #transport: TransportEnd;
  readonly #onBlocked: (blocked: boolean) => void;
  readonly #lanes = new Map<Lane, Entry[]>(ORDER.map(({ lane }) => [lane, []]));
  readonly #controls: Control[] = [];
  #partials = 0;
  #bytes = 0;
  #count = 0;
  #blocked = false;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** `onBlocked` is told when messages have to wait for the transport, and when they no longer do. */
  constructor(transport: TransportEnd, onBlocked: (blocked: boolean) => void) {
    this.#transport = transport;
    this.#onBlocked = onBlocked;
  }

  /** Bytes that wait here. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Messages and pieces that wait here. */
  get count(): number {
    return this.#count;
  }

  push(seq: number, { kind, lane, body }: Outgoing): void {
    const queue = this.#lanes.get(lane);
    if (!queue) return; // every lane has its queue
    for (const entry of splitEntry({ kind, body: encodeSequenced(seq, lane, body) }, (this.#partials += 1))) {
      queue.push(entry);
      this.#bytes += entry.body.length;
      this.#count += 1;
    }
    this.#schedule();
  }

  /** Goes before everything else. */
  control(control: Control): void {
    this.#controls.push(control);
    this.#schedule();
  }

  /** Hands over what waits, as far as the transport takes it, now. */
  flush(): void {
    if (this.#stopped) return;
    for (let frame = this.#next(); frame.length > 0; frame = this.#next()) this.#transport.send(encodeFrame(frame));
    this.#setBlocked(this.#count > 0);
    if (this.#blocked) this.#timer ??= setTimeout(() => this.#retry(), DRAIN_POLL_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** What is said in one turn of the event loop leaves in one frame. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  #retry(): void {
    this.#timer = undefined;
    this.flush();
  }

  /** The entries of the next frame; none when nothing waits, or nothing may leave. */
  #next(): Entry[] {
    const entries: Entry[] = this.#controls
      .splice(0, MAX_FRAME_ENTRIES)
      .map((control) => ({ kind: KIND.control, body: encodeJson(control) }));
    let size = entries.reduce((sum, entry) => sum + entry.body.length + FRAME_ENTRY_BYTES, 0);
    const waiting = this.#transport.buffered();
    for (const { lane, water } of ORDER) {
      const queue = this.#lanes.get(lane) ?? [];
      let taken = 0;
      while (taken < queue.length && entries.length < MAX_FRAME_ENTRIES && size < FRAME_BODY_BYTES && waiting < water) {
        const entry = queue[taken] as Entry; // taken < length
        taken += 1;
        entries.push(entry);
        size += entry.body.length + FRAME_ENTRY_BYTES;
        this.#bytes -= entry.body.length;
      }
      if (taken > 0) queue.splice(0, taken);
      this.#count -= taken;
    }
    return entries;
  }

  #setBlocked(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.#onBlocked(blocked);
  }
}
