import type { After, Packet } from '../protocol/endpoint.ts';
import type { Lane } from '../protocol/lanes.ts';

/** Maximum time that a message waits for the mirror, in ms. After it, the message is delivered anyway. */
export const HOLD_MS = 2000;
/** Maximum number of waiting messages over all lanes. Past it, the lane that grew is delivered. */
export const HOLD_MAX_MESSAGES = 500;

/** Callbacks of a hold. */
interface HoldOptions {
  readonly deliver: (packet: Packet) => void;
  /** A message has been delivered or dropped before its condition was met. */
  readonly onGivenUp: (packet: Packet, why: 'late' | 'too-many' | 'superseded') => void;
}

interface Waiting {
  readonly packet: Packet;
  readonly since: number;
}

interface Position {
  readonly epoch: number;
  readonly seq: number;
}

/** Number of past epochs that are remembered per frame. */
const PAST_EPOCHS = 8;

/**
 * Holds messages back until the view has reached the state that they depend on. Later messages in the same lane wait too, so that the lane
 * keeps its order. A message for a past epoch is dropped, because its target no longer exists; a call is delivered, because its caller
 * waits.
 */
export class Hold {
  readonly #options: HoldOptions;
  readonly #lanes = new Map<Lane, Waiting[]>();
  readonly #reached = new Map<number, Position>();
  readonly #past = new Map<number, number[]>();
  #size = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  /** Adds a packet, in the order of its lane. */
  take(lane: Lane, packet: Packet): void {
    const waiting = this.#lanes.get(lane) ?? [];
    this.#lanes.set(lane, waiting);
    waiting.push({ packet, since: Date.now() });
    this.#size += 1;
    this.#drain(lane, false);
    if (this.#size > HOLD_MAX_MESSAGES) this.#drain(lane, true);
    this.#arm();
  }

  /** The view has applied this batch of a frame. */
  reached(frame: number, epoch: number, seq: number): void {
    const before = this.#reached.get(frame);
    if (before && before.epoch !== epoch)
      this.#past.set(frame, [...(this.#past.get(frame) ?? []), before.epoch].slice(-PAST_EPOCHS));
    this.#reached.set(frame, { epoch, seq });
    for (const lane of this.#lanes.keys()) this.#drain(lane, false);
    this.#arm();
  }

  /** Discards all waiting messages. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#lanes.clear();
    this.#size = 0;
  }

  #drain(lane: Lane, all: boolean): void {
    const waiting = this.#lanes.get(lane) ?? [];
    for (let first = waiting[0]; first; first = waiting[0]) {
      const { packet, since } = first;
      const state = packet[3] ? this.#stateOf(packet[3]) : 'reached';
      const isLate = Date.now() - since >= HOLD_MS;
      if (state === 'ahead' && !all && !isLate) return;
      waiting.shift();
      this.#size -= 1;
      if (state !== 'reached')
        this.#options.onGivenUp(packet, state === 'superseded' ? state : all ? 'too-many' : 'late');
      if (state !== 'superseded' || packet[2]) this.#options.deliver(packet);
    }
  }

  #stateOf([frame, epoch, seq]: After): 'reached' | 'ahead' | 'superseded' {
    const at = this.#reached.get(frame);
    if (at?.epoch === epoch) return at.seq >= seq ? 'reached' : 'ahead';
    return this.#past.get(frame)?.includes(epoch) ? 'superseded' : 'ahead';
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#size === 0) return;
    const oldest = Math.min(...[...this.#lanes.values()].flatMap((waiting) => waiting[0]?.since ?? []));
    this.#timer = setTimeout(
      () => {
        for (const lane of this.#lanes.keys()) this.#drain(lane, false);
        this.#arm();
      },
      Math.max(0, oldest + HOLD_MS - Date.now()),
    );
  }
}
