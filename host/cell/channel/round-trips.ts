import type { Control } from '../../../core/protocol/wire.ts';

/** The latest measured times to the attached client and back. */
export class RoundTrips {
  #askedAt = 0;
  #message: number | undefined;
  #frame: number | undefined;

  /** Time to the client and back, in ms; undefined before the first answer. */
  get message(): number | undefined {
    return this.#message;
  }

  /** Time to the client's next animation frame and back, in ms; undefined while its window is hidden. */
  get frame(): number | undefined {
    return this.#frame;
  }

  /** A new question to the client. */
  ask(now: number): Control {
    this.#askedAt = now;
    this.#frame = undefined; // a hidden window does not answer
    return { rttping: now, anim_ping: now };
  }

  /** Takes the client's answer; one to an earlier question counts for nothing. */
  answered({ rttpong, anim_pong }: Control): void {
    if (rttpong !== undefined && rttpong === this.#askedAt) this.#message = performance.now() - rttpong;
    if (anim_pong !== undefined && anim_pong === this.#askedAt) this.#frame = performance.now() - anim_pong;
  }

  /** Another client, or another transport, will answer. */
  forget(): void {
    this.#message = this.#frame = undefined;
  }
}
