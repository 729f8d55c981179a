import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { MAX_EVENT_UNITS } from '../contracts/records.ts';
import type { Records } from '../contracts/records.ts';
import { recordedBy } from '../declared/recorded.ts';
import { MAX_COUNT, MAX_SENT_EVENTS, MAX_SENT_UNITS } from '../declared/records-sent.ts';
import type { SentEvent, SentRecords } from '../declared/records-sent.ts';

const FLUSH_MS = 1000;
/** Events of one plugin that one flush sends: those of others are not affected. */
export const MAX_PLUGIN_EVENTS = 20;
/** Events of one plugin that may wait for later flushes, so that a burst is not lost; those past it are dropped, and counted. */
export const MAX_WAITING_EVENTS = 100;

type Table = ReturnType<typeof recordedBy>;

/** Records of one plugin that have not been sent. */
interface Pending {
  /** Sums by counter: as many as the manifest declares. */
  readonly sums: Map<string, number>;
  readonly events: SentEvent[];
  dropped: number;
}

/**
 * Counters and events of the plugins of one process, on their way to the gateway: sent once a second, as sums and lists, so that no page can flood
 * it. Whoever made it closes it.
 */
export class RecordBuffer {
  readonly #metrics: Table;
  readonly #files: Table;
  readonly #send: (records: SentRecords) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #pending = new Map<string, Pending>();

  constructor(manifests: readonly AnyManifest[], send: (records: SentRecords) => void) {
    this.#metrics = recordedBy(manifests, 'metrics');
    this.#files = recordedBy(manifests, 'eventFiles');
    this.#send = send;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  /** The records of one plugin. */
  of(plugin: string): Records {
    return {
      count: (name, by = 1) => this.#count(plugin, name, by),
      append: (file, event) => this.#append(plugin, file, event),
    };
  }

  /** Sends what there is, in notices of bounded size; of the events of each plugin, at most so many. */
  flush(most = MAX_PLUGIN_EVENTS): void {
    const all = [...this.#pending];
    if (all.length === 0) return;
    this.#pending.clear();
    for (const [plugin, { events }] of all) {
      const later = events.splice(most);
      if (later.length > 0) this.#pending.set(plugin, { sums: new Map(), events: later, dropped: 0 });
    }
    const counts = all.flatMap(([plugin, { sums }]) => [...sums].map(([name, by]) => ({ plugin, name, by })));
    const dropped = all.flatMap(([plugin, each]) => (each.dropped > 0 ? [{ plugin, count: each.dropped }] : []));
    const parts = portions(all.flatMap(([, { events }]) => events));
    this.#send({ counts, dropped, events: parts.shift() ?? [] });
    for (const events of parts) this.#send({ counts: [], dropped: [], events });
  }

  /** Sends all records. The link has to be open. */
  close(): void {
    clearInterval(this.#timer);
    this.flush(MAX_WAITING_EVENTS);
  }

  #count(plugin: string, name: string, by: number): void {
    check(this.#metrics, plugin, name, 'metrics');
    if (!Number.isSafeInteger(by) || by < 0)
      throw new AppError('bad-message', `${plugin}: ${name}: a counter goes up by whole numbers`);
    const { sums } = this.#of(plugin);
    sums.set(name, Math.min((sums.get(name) ?? 0) + by, MAX_COUNT));
  }

  #append(plugin: string, file: string, event: Readonly<Record<string, unknown>>): void {
    check(this.#files, plugin, file, 'eventFiles');
    const pending = this.#of(plugin);
    if (pending.events.length >= MAX_WAITING_EVENTS) {
      pending.dropped += 1;
      return;
    }
    const text = textOf(event);
    if (text === undefined || text.length > MAX_EVENT_UNITS)
      throw new AppError(
        'bad-message',
        `${plugin}: ${file}: an event is JSON of at most ${MAX_EVENT_UNITS} characters`,
      );
    pending.events.push({ plugin, file, event: text });
  }

  #of(plugin: string): Pending {
    const pending = this.#pending.get(plugin) ?? { sums: new Map(), events: [], dropped: 0 };
    this.#pending.set(plugin, pending);
    return pending;
  }
}

/** @throws AppError `not-declared` */
function check(table: Table, plugin: string, name: string, field: string): void {
  if (!Object.hasOwn(table.get(plugin) ?? {}, name))
    throw new AppError('not-declared', `${plugin}: its manifest declares no ${name} among its ${field}`);
}

/** An object as JSON; undefined for anything else. */
function textOf(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return undefined;
  try {
    return JSON.stringify(event);
  } catch {
    return undefined; // a circle, or a bigint
  }
}

/** Events in lists that each fit into one notice. */
function portions(events: readonly SentEvent[]): SentEvent[][] {
  const parts: SentEvent[][] = [];
  let units = Infinity;
  for (const event of events) {
    let part = parts.at(-1);
    if (!part || part.length >= MAX_SENT_EVENTS || units + event.event.length > MAX_SENT_UNITS) {
      parts.push((part = []));
      units = 0;
    }
    part.push(event);
    units += event.event.length;
  }
  return parts;
}
