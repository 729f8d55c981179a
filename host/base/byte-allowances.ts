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
    const { burst, perHour } = this.#limits;
    const { bytes: left, at } = this.#senders.get(sender) ?? { bytes: burst, at: now };
    const filled = Math.min(burst, left + ((now - at) * perHour) / HOUR_MS);
    const isEnough = filled >= bytes;
    this.#senders.delete(sender);
    this.#senders.set(sender, { bytes: isEnough ? filled - bytes : filled, at: now });
    const oldest = this.#senders.size > MAX_SENDERS ? this.#senders.keys().next().value : undefined;
    if (oldest !== undefined) this.#senders.delete(oldest);
    return isEnough;
  }

  /** Senders that are remembered. */
  get size(): number {
    return this.#senders.size;
  }
}
