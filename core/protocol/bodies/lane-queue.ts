import type { Packet } from '../endpoint.ts';
import { AppError } from '../errors.ts';

/** Most packets that may wait in one lane for a body to arrive, and most UTF-16 units of their JSON. */
const MAX_WAITING = 500;
const MAX_WAITING_UNITS = 4 * 1024 * 1024;

interface Held {
  readonly waiting: (() => void)[];
  units: number;
  readonly giveUp: (fault: AppError) => void;
}

/** Lanes in which a message waits for its bytes: what comes behind it waits, too, so that the lane keeps its order. */
export class LaneQueue {
  readonly #lanes = new Map<string, Held>();

  isHeld(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** Keeps a packet of a lane that is held, to be taken by `again`. What is too much for that has the lane go on without what it waits for. */
  keep(lane: string, packet: Packet, again: () => void): void {
    const held = this.#lanes.get(lane);
    if (!held) return again();
    held.waiting.push(again);
    held.units += JSON.stringify(packet).length;
    if (held.waiting.length > MAX_WAITING || held.units > MAX_WAITING_UNITS)
      held.giveUp(new AppError('body-overrun', 'too much waits for a body'));
  }

  /** Holds a free lane until the returned function is called. `giveUp` is called when too much waits in it. */
  hold(lane: string, giveUp: (fault: AppError) => void): () => void {
    const held: Held = { waiting: [], units: 0, giveUp };
    this.#lanes.set(lane, held);
    return () => {
      if (this.#lanes.get(lane) !== held) return;
      this.#lanes.delete(lane);
      for (const again of held.waiting) again(); // one of them may hold the lane anew: the others then wait for it
    };
  }

  /** Forgets all that waits. */
  clear(): void {
    this.#lanes.clear();
  }
}
