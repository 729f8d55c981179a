import type { PairAnswer } from '../../core/protocol/pairing.ts';
import type { Person } from '../base/person.ts';

/** Time for which a websocket waits for its pairing, in ms: a client gives up its pair request by then (S-163). */
const WAIT_MS = 45_000;
/** Time for which the outcome of an attempt is kept for a websocket that comes after it, in ms. */
const KEEP_MS = 20_000;
/** Attempts of one person that are kept or waited for: as many tabs may be opened at once. */
const MAX_ATTEMPTS = 16;

/** A tab that an attempt to pair has led to. */
type PairedTab = Readonly<Record<'cid' | 'tabId', string>>;

/** One attempt to pair a tab, by its random name, which its client alone knows. */
interface Attempt {
  readonly tab: Promise<PairedTab | undefined>;
  readonly settle: (tab: PairedTab | undefined) => void;
}

/**
 * Attempts to pair, for websockets that clients open together with their pair request, before they know their session: that saves the
 * round trips of a connection after it. Bounded for each person; the oldest is given up first.
 */
export class PairedAttempts {
  /** By subject, then by the attempt's name. */
  readonly #attempts = new Map<string, Map<string, Attempt>>();

  /** Notes what an attempt has led to. A refusal that its client answers by another request of the same attempt is none. */
  paired({ subject }: Person, name: string | undefined, { cid, tab_id: tabId }: PairAnswer): void {
    if (name === undefined || cid === undefined || tabId === undefined) return;
    this.#attempt(subject, name, KEEP_MS).settle({ cid, tabId });
  }

  /** Waits for the tab of an attempt. Undefined when there is none in time, or too many others are waited for. */
  tabOf({ subject }: Person, name: string): Promise<PairedTab | undefined> {
    return this.#attempt(subject, name, WAIT_MS).tab;
  }

  #attempt(subject: string, name: string, ms: number): Attempt {
    const own = this.#attempts.get(subject) ?? new Map<string, Attempt>();
    this.#attempts.set(subject, own);
    const known = own.get(name);
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<PairedTab | undefined>();
    const attempt: Attempt = {
      tab: promise,
      settle: (tab) => {
        resolve(tab);
        clearTimeout(timer);
        timer = setTimeout(forget, KEEP_MS).unref();
      },
    };
    const forget = (): void => {
      resolve(undefined);
      if (own.get(name) === attempt) own.delete(name);
      if (own.size === 0 && this.#attempts.get(subject) === own) this.#attempts.delete(subject);
    };
    let timer = setTimeout(forget, ms).unref();
    const [oldest] = own.size >= MAX_ATTEMPTS ? own.values() : [];
    own.set(name, attempt);
    if (oldest) this.#giveUp(own, oldest);
    return attempt;
  }

  #giveUp(own: Map<string, Attempt>, attempt: Attempt): void {
    attempt.settle(undefined);
    for (const [name, each] of own) if (each === attempt) own.delete(name);
  }
}
