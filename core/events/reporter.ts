import type { CallServer } from '../channel/server-call.ts';
import type { Events } from '../contracts/client-scope.ts';
import { boundedRecord, eventName } from './event-record.ts';
import { loggerPath } from './logger-call.ts';
import type { EventFacts, EventRecord } from './event-record.ts';

/** Path of client events. The prefix is not defined by the specification. */
export const EVENT_PATH = loggerPath('clientevent');
/** Delay between the first queued event and the request that carries it, in ms (S-113). */
const FLUSH_MS = 5000;
const MAX_QUEUED = 100;
/** An identical report within this time, in ms, is not sent, forced or not. */
const DEDUPE_MS = 1000;

/** Options of a reporter. */
interface ReporterOptions {
  readonly call: CallServer;
  readonly facts: EventFacts;
  readonly url: () => string;
}

/**
 * Collects client events and sends them in batches (S-113). Each name is sent once unless forced (S-159). Events that cannot be sent are
 * dropped: reporting must not affect the session.
 */
export class Reporter implements Events {
  readonly #options: ReporterOptions;
  #facts: EventFacts;
  #queue: EventRecord[] = [];
  readonly #lastAt = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beacon: ((path: string, body: string) => void) | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  /** Adds facts about the session. */
  know(facts: Partial<EventFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  report(
    given: string,
    data?: Readonly<Record<string, unknown>>,
    { level = 'info', force = false }: { readonly level?: EventRecord['level']; readonly force?: boolean } = {},
  ): void {
    const name = eventName(given);
    const now = Date.now();
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

  /** Sends queued and later events by `beacon`: the page is being unloaded. */
  leave(beacon: (path: string, body: string) => void): void {
    this.#beacon = beacon;
    const batch = this.#takeBatch();
    if (batch) beacon(EVENT_PATH, JSON.stringify(batch));
  }

  #flush(): void {
    const body = this.#takeBatch();
    // The code that calls the host reports failed calls. Otherwise a failed report would cause another.
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

  /** Removes expired times of forced reports. A plain name (one without data) is kept. */
  #forget(now: number): void {
    for (const [key, at] of this.#lastAt) if (key.includes(' ') && now - at >= DEDUPE_MS) this.#lastAt.delete(key);
  }
}
