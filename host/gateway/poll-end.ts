import type { TransportEnd } from '../contracts/link.ts';

/** Answer to a pull. */
interface Pulled {
  /** Concatenated frames; empty when there were none in time. */
  readonly body: Uint8Array;
  /** Time for which the pull was held, in ms. */
  readonly heldMs: number;
}

/** Delay of acknowledgements of pushed messages, in ms: another frame may end the pull before. */
const ACK_DELAY_MS = 1000;

/**
 * A polling client as a transport: queues frames until they are pulled. A pull that is lost in transit loses its
 * frames; the client then attaches again, and the channel resends them.
 */
export class PollEnd implements TransportEnd {
  readonly ackDelayMs = ACK_DELAY_MS;
  /** Reason of its close. */
  closed: string | undefined;
  readonly #onClosed: () => void;
  #frames: Uint8Array[] = [];
  /** Resolves the promises of queued frames. */
  #left: (() => void)[] = [];
  #pulls = 0;
  #isHeld = false;
  #wake: (() => void) | undefined;

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  send(frame: Uint8Array): Promise<void> {
    if (this.closed !== undefined) return Promise.resolve();
    this.#frames.push(frame);
    this.#wake?.();
    return new Promise((resolve) => this.#left.push(resolve));
  }

  close(reason: string): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    this.#onClosed();
    for (const left of this.#left.splice(0)) left();
    this.#wake?.();
  }

  /**
   * Returns the queued frames, or those that come within `holdMs`. Undefined when this is not the next pull: a proxy
   * has repeated one, and the answer to the one before may be lost.
   */
  async pull(number: number, holdMs: number): Promise<Pulled | undefined> {
    if (number !== this.#pulls + 1 || this.#isHeld) return undefined;
    this.#pulls = number;
    const began = performance.now();
    if (this.#frames.length === 0 && this.closed === undefined && holdMs > 0) {
      this.#isHeld = true;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, holdMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#isHeld = false;
      this.#wake = undefined;
    }
    const body = Buffer.concat(this.#frames);
    this.#frames = [];
    for (const left of this.#left.splice(0)) left();
    return { body, heldMs: performance.now() - began };
  }
}
