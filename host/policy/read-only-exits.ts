import type { Subject } from './decision.ts';
import { MAX_PERSON_EXITS } from './person-policy-data.ts';
import type { ReadOnlyExit } from './person-policy-data.ts';

/** Time for which a person who has left read-only on a site may type there, in ms. */
const EXIT_MS = 8 * 60 * 60_000;
const MAX_PEOPLE = 10_000;

/**
 * Sites on which people have left read-only. Bounded: the oldest exits are dropped, which makes their sites read-only
 * again.
 */
export class ReadOnlyExits {
  readonly #people = new Map<string, readonly ReadOnlyExit[]>();
  readonly #now: () => number;

  /** @param now the time in ms */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records that a person leaves read-only on a host now. */
  add(person: Subject, host: string): void {
    const others = this.of(person).filter((exit) => exit.host !== host);
    const key = keyOf(person);
    this.#people.delete(key); // the newest last
    this.#people.set(key, [...others, { host, until: this.#now() + EXIT_MS }].slice(-MAX_PERSON_EXITS));
    for (const oldest of this.#people.keys()) {
      if (this.#people.size <= MAX_PEOPLE) break;
      this.#people.delete(oldest);
    }
  }

  /** Returns a person's exits that have not expired, the oldest first. */
  of(person: Subject): readonly ReadOnlyExit[] {
    const now = this.#now();
    return (this.#people.get(keyOf(person)) ?? []).filter(({ until }) => until >= now);
  }
}

function keyOf({ tenant, subject }: Subject): string {
  return JSON.stringify([tenant, subject]);
}
