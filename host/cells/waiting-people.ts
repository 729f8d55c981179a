/** Time after which a person who has not asked again has given up, in ms: clients and the waiting page ask every three seconds. */
const GIVEN_UP_MS = 12_000;
/** Maximum number of people who wait, and of those of one network address. */
const MAX_WAITING = 1000;
const MAX_OF_ADDRESS = 50;

interface Waiting {
  readonly address: string | undefined;
  askedAt: number;
}

/** People for whom there is no cell, in the order in which they have come. Who asks no more loses the place. */
export class WaitingPeople {
  /** By subject, in order. */
  readonly #people = new Map<string, Waiting>();

  /** Number of people who wait. */
  get size(): number {
    this.#sweep();
    return this.#people.size;
  }

  /** Number of people who wait for longer than this one; all, for somebody who does not wait. */
  ahead(subject: string): number {
    this.#sweep();
    let count = 0;
    for (const each of this.#people.keys()) {
      if (each === subject) break;
      count += 1;
    }
    return count;
  }

  /** A person waits, or asks again. Nobody more waits where too many do already: they have a place once there is room. */
  join(subject: string, address: string | undefined, now = performance.now()): void {
    const known = this.#people.get(subject);
    if (known) known.askedAt = now;
    else if (this.#people.size < MAX_WAITING && this.#ofAddress(address) < MAX_OF_ADDRESS)
      this.#people.set(subject, { address, askedAt: now });
  }

  /** The person has a cell. */
  leave(subject: string): void {
    this.#people.delete(subject);
  }

  #ofAddress(address: string | undefined): number {
    if (address === undefined) return 0;
    return [...this.#people.values()].filter((each) => each.address === address).length;
  }

  #sweep(now = performance.now()): void {
    for (const [subject, { askedAt }] of this.#people) if (now - askedAt > GIVEN_UP_MS) this.#people.delete(subject);
  }
}
