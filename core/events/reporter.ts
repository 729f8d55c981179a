import type { CallServer } from '../channel/server-call.ts';
import type { Events } from '../contracts/client-scope.ts';
import { boundedRecord, eventName } from './event-record.ts';
import { loggerPath } from './logger-call.ts';
import type { EventFacts, EventRecord } from './event-record.ts';

/** Where client events go; the prefix is ours to choose. */
export const EVENT_PATH = loggerPath('clientevent');
/** From the first queued event to the request that carries it (S-113). */
export const FLUSH_MS = 5000;
export const MAX_QUEUED = 100;
/** Names whose reports are counted on this side. */
export const MAX_STATS = 50;
/** The same report again within this time is not sent, forced or not. */
export const DEDUPE_MS = 1000;

/** What a reporter works with. */
interface ReporterOptions {
  readonly call: CallServer;
  readonly facts: EventFacts;
  readonly url: () => string;
}

/**
 * Gathers client events and sends them in batches (S-113). Each name goes out once unless forced (S-159). What cannot be sent is
 * dropped: reporting must not trouble the session.
 */
export class Reporter implements Events {
  readonly #options: ReporterOptions;
  #facts: EventFacts;
  #queue: EventRecord[] = [];
  readonly #stats = new Map<string, number>();
  readonly #lastAt = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beacon: ((path: string, body: string) => void) | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  /** Adds what has become known of the session. */
  know(facts: Partial<EventFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** How often each event was reported, sent or not; the first {@link MAX_STATS} names. */
  get stats(): ReadonlyMap<string, number> {
    return this.#stats;
  }

  report(
    given: string,
    data?: Readonly<Record<string, unknown>>,
    { level = 'info', force = false }: { readonly level?: EventRecord['level']; readonly force?: boolean } = {},
  ): void {
    const name = eventName(given);
    const now = Date.now();
    const count = this.#stats.get(name);
    if (count !== undefined || this.#stats.size < MAX_STATS) this.#stats.set(name, (count ?? 0) + 1);
    if (this.#lastAt.has(name) && !force) return;
    const record = boundedRecord({
      ...this.#facts,
      ctime: now,
      event: name,
      url: this.#options.url(),
      level,
      ...(data && { data }),
    });
    const same = `${name} ${JSON.stringify(record.data ?? '')}`;
    if (now - (this.#lastAt.get(same) ?? -Infinity) < DEDUPE_MS) return;
    if (this.#lastAt.size > 10 * MAX_QUEUED) this.#forget(now);
    this.#lastAt.set(name, now).set(same, now);
    if (this.#queue.length >= MAX_QUEUED) return;
    this.#queue.push(record);
    if (this.#beacon) this.leave(this.#beacon);
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Sends what is queued by `beacon`, and what is still reported after it: the page is going away. */
  leave(beacon: (path: string, body: string) => void): void {
    this.#beacon = beacon;
    const batch = this.#takeBatch();
    if (batch) beacon(EVENT_PATH, JSON.stringify(batch));
  }

  #flush(): void {
    const body = this.#takeBatch();
    // A failed call is reported by whoever calls the host, or the failure of one report would make the next.
    if (body) this.#options.call({ label: 'clientevent', path: EVENT_PATH, body }).catch(() => undefined);
  }

  #takeBatch(): { items: EventRecord[]; url: string; host: string } | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.length === 0) return undefined;
    const items = this.#queue;
    this.#queue = [];
    return { items, url: this.#options.url().slice(0, 4096), host: this.#facts.host };
  }

  /** Drops the times of forced reports that no longer matter; a plain name, known by having no data behind it, stays. */
  #forget(now: number): void {
    for (const [key, at] of this.#lastAt) if (key.includes(' ') && now - at >= DEDUPE_MS) this.#lastAt.delete(key);
  }
}
