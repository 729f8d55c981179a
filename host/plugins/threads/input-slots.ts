import { setTimeout as delay } from 'node:timers/promises';
import type { HostInput, InputTurn } from '../../contracts/tab-input.ts';

/** Time that a thread may take over an event, in ms: the person's input waits for it. */
export const TURN_MS = 1000;

type Apply = (turn: InputTurn) => Promise<void>;

interface Waiting {
  readonly apply: Apply;
  readonly settle: (ran: boolean) => void;
}

/**
 * Places in the order of the person's input that messages of a thread's device hold from when they come, since what the thread makes of them
 * comes later than what the person does next. What the thread enqueues while it handles such a message takes that message's place.
 */
export class InputSlots {
  readonly #input: HostInput;
  readonly #open = new Map<number, Slot>();
  #last = 0;

  constructor(input: HostInput) {
    this.#input = input;
  }

  /** Holds a place until the message is handled, or its turn has lasted {@link TURN_MS}. `handle` is given the place's number. */
  hold<T>(handle: (place: number) => Promise<T>): Promise<T> {
    const place = (this.#last += 1);
    const slot = new Slot();
    this.#open.set(place, slot);
    const handled = handle(place);
    const close = (): void => {
      this.#open.delete(place);
      slot.close();
    };
    handled.then(close, close);
    void this.#input
      .enqueue((turn) => Promise.race([slot.run(turn), delay(TURN_MS, undefined, { ref: false })]))
      .then(() => {
        close();
        slot.drop();
      });
    return handled;
  }

  /** Has an event applied in a place; undefined when nothing holds it any more. */
  take(place: number, apply: Apply): Promise<boolean> | undefined {
    return this.#open.get(place)?.add(apply);
  }
}

/** One such place. */
class Slot {
  readonly #waiting: Waiting[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  add(apply: Apply): Promise<boolean> {
    return new Promise((settle) => {
      this.#waiting.push({ apply, settle });
      this.#wake();
    });
  }

  /** Nothing more comes. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Drops all pending input: its promises resolve with false. */
  drop(): void {
    for (const { settle } of this.#waiting.splice(0)) settle(false);
  }

  /** Applies what comes, until it is closed. */
  async run(turn: InputTurn): Promise<void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) {
        await next.apply(turn);
        next.settle(true);
      } else if (this.#isClosed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
