import type { AsleepSession, AsleepTab } from './protocol.ts';

/** Maximum number of people of whom something is kept; the oldest are forgotten past it. */
const MAX_PEOPLE = 10_000;

interface Asleep {
  session: AsleepSession;
  readonly timer: NodeJS.Timeout;
}

/** Records of people whom no cell serves any more: addresses of their tabs, for some time. Their cookies are on disk meanwhile. */
export class AsleepPeople {
  readonly #people = new Map<string, Asleep>();
  readonly #onForgotten: (subject: string) => void;

  /** `onForgotten`: called when a person has not come back in time. */
  constructor(onForgotten: (subject: string) => void) {
    this.#onForgotten = onForgotten;
  }

  get size(): number {
    return this.#people.size;
  }

  has(subject: string): boolean {
    return this.#people.has(subject);
  }

  keep(subject: string, session: AsleepSession, ms: number): void {
    this.#drop(subject);
    const timer = setTimeout(() => this.#forget(subject), ms).unref();
    this.#people.set(subject, { session, timer });
    const [oldest] = this.#people.keys();
    if (this.#people.size > MAX_PEOPLE && oldest !== undefined) this.#forget(oldest);
  }

  /** The tab of a client that comes back; once. */
  take(subject: string, cid: string, safeRid: string): AsleepTab | undefined {
    const known = this.#people.get(subject);
    if (known?.session.cid !== cid) return undefined;
    const tab = known.session.tabs.find((each) => each.safeRid === safeRid);
    if (tab) known.session = { cid, tabs: known.session.tabs.filter((each) => each !== tab) };
    return tab;
  }

  /** Forgets everybody. */
  clear(): void {
    for (const subject of [...this.#people.keys()]) this.#forget(subject);
  }

  #forget(subject: string): void {
    this.#drop(subject);
    this.#onForgotten(subject);
  }

  #drop(subject: string): void {
    clearTimeout(this.#people.get(subject)?.timer);
    this.#people.delete(subject);
  }
}
