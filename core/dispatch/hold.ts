import type { After, Packet } from '../protocol/endpoint.ts';
import type { Lane } from '../protocol/lanes.ts';

/** How long a message waits for the mirror, in milliseconds; then it is delivered all the same. */
export const HOLD_MS = 2000;
/** How many messages may wait, over all lanes; past it the lane that grows is let go. */
export const HOLD_MAX_MESSAGES = 500;

/** What a hold works for. */
interface HoldOptions {
  readonly deliver: (packet: Packet) => void;
  /** A message has been delivered, or dropped, without what it waited for. */
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

/** Epochs of a frame that are remembered as over. */
const PAST_EPOCHS = 8;

/**
 * Keeps messages back until the view has reached what they rely on; those behind them in their lane wait too, so that the lane keeps
 * its order. A message for an epoch that is over is dropped: what it speaks of is gone; a call is delivered, for its caller waits.
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

  /** Takes a packet in its lane's order. */
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

  /** Forgets all that waits. */
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
