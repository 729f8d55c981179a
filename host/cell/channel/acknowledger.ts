/** Maximum delay of an acknowledgement, in ms. */
const ACK_DELAY_MS = 50;
/** Number of messages that are acknowledged at once, where a transport has no delay of its own. */
export const ACK_EVERY = 32;

/** Acknowledges received messages together: after {@link ACK_EVERY}, or after a delay. */
export class Acknowledger {
  readonly #send: () => void;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `send` sends the number up to which everything has been received. */
  constructor(send: () => void) {
    this.#send = send;
  }

  /** A message has been received. `delayMs`: of a transport that ends with each acknowledgement, as a poll does. */
  received(delayMs: number | undefined): void {
    this.#count += 1;
    if (this.#count >= ACK_EVERY && delayMs === undefined) this.now();
    else this.#timer ??= setTimeout(() => this.now(), delayMs ?? ACK_DELAY_MS);
  }

  /** Acknowledges at once. */
  now(): void {
    this.stop();
    this.#send();
  }

  /** Forgets what has not been acknowledged: the transport is gone. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#count = 0;
  }
}
