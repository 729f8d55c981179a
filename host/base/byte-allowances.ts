/** Bytes that each sender may write: at once, and over time. */
interface AllowanceBytes {
  readonly burst: number;
  readonly perHour: number;
}

interface Allowance {
  bytes: number;
  /** When that was so, by `performance.now()`. */
  at: number;
}

/** Senders that are remembered; the one that has been silent for the longest time is forgotten first. */
const MAX_SENDERS = 10_000;
const HOUR_MS = 3_600_000;

/** A token bucket for each sender. */
export class ByteAllowances {
  readonly #limits: AllowanceBytes;
  readonly #senders = new Map<string, Allowance>();

  constructor(limits: AllowanceBytes) {
    this.#limits = limits;
  }

  /** Whether a sender may write so many bytes now; they are taken then. */
  take(sender: string, bytes: number, now = performance.now()): boolean {
    const filled = this.#filled(sender, now);
    const isEnough = filled >= bytes;
    this.#keep(sender, isEnough ? filled - bytes : filled, now);
    return isEnough;
  }

  /**
   * Takes bytes that a sender has written already, whether or not it may. Returns the time until it may write again, in ms: 0 where it is
   * within its allowance.
   */
  spend(sender: string, bytes: number, now = performance.now()): number {
    const left = this.#filled(sender, now) - bytes;
    this.#keep(sender, left, now);
    return Math.max(0, (-left / this.#limits.perHour) * HOUR_MS);
  }

  /** Senders that are remembered. */
  get size(): number {
    return this.#senders.size;
  }

  #filled(sender: string, now: number): number {
    const { burst, perHour } = this.#limits;
    const { bytes, at } = this.#senders.get(sender) ?? { bytes: burst, at: now };
    return Math.min(burst, bytes + ((now - at) * perHour) / HOUR_MS);
  }

  #keep(sender: string, bytes: number, now: number): void {
    this.#senders.delete(sender);
    this.#senders.set(sender, { bytes, at: now });
    const oldest = this.#senders.size > MAX_SENDERS ? this.#senders.keys().next().value : undefined;
    if (oldest !== undefined) this.#senders.delete(oldest);
  }
}
