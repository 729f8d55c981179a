import type { TransportEnd } from '../link.ts';

/** What a pull is answered with. */
interface Pulled {
  /** Frames, one after another; empty when there were none in time. */
  readonly body: Uint8Array;
  /** How long it was held, in ms. */
  readonly heldMs: number;
}

/** Acknowledgements of pushed messages wait so long for something that ends a pull anyway, in ms. */
const ACK_DELAY_MS = 1000;

/**
 * A polling client as a transport: keeps frames until they are pulled. A pull that is lost on its way takes its frames with it; the
 * client then attaches anew, and the channel sends them again.
 */
export class PollEnd implements TransportEnd {
  readonly ackDelayMs = ACK_DELAY_MS;
  /** Why it is closed. */
  closed: string | undefined;
  readonly #onClosed: () => void;
  #frames: Uint8Array[] = [];
  /** Resolves the promises of the frames that wait. */
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
   * The frames that wait, or that come within `holdMs`. Undefined when this is not the next pull: a proxy has repeated one, and the
   * answer of the one before may be lost.
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
