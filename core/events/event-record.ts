/** Maximum number of characters of one record as JSON, and of one string in it (S-159). */
const MAX_RECORD_CHARS = 8192;
const MAX_STRING_CHARS = 4096;

type Level = 'info' | 'warning' | 'error';

/** Fields of every record of a session (S-040); unknown ones are omitted. */
export interface EventFacts {
  readonly build_id: string;
  readonly tc_api: number;
  readonly user_agent: string;
  readonly host: string;
  readonly sid?: string;
  readonly srouter_id?: string;
  readonly cluster_id?: string;
  readonly tab?: string;
  readonly xff?: string;
}

/** A client event as it is sent (S-040). */
export interface EventRecord extends EventFacts {
  readonly ctime: number;
  readonly event: string;
  readonly url: string;
  readonly level: Level;
  readonly data?: unknown;
}

/** Names that the specification defines without the prefix. */
const UNPREFIXED = /^(tab-storage-invalid|surrogate-view-start-failed|double-fault)$/;

/** The name under which an event is sent: `tc-` plus the given name (M-101). */
export function eventName(name: string): string {
  return name.startsWith('tc-') || UNPREFIXED.test(name) ? name : `tc-${name}`;
}

/** Converts any value to one that JSON can carry, with strings cut. */
function capped(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_STRING_CHARS);
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value;
  if (typeof value !== 'object') return typeof value; // a function, a symbol, a number that is not finite
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => capped(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capped(item, depth - 1)]));
}

/** Brings a record within its limits. Data that is too long is replaced by the start of its JSON text. */
export function boundedRecord(record: EventRecord): EventRecord {
  const bounded = capped(record, 4) as EventRecord; // same shape, strings cut
  if (JSON.stringify(bounded).length <= MAX_RECORD_CHARS) return bounded;
  const { data, ...rest } = {
    ...bounded,
    url: bounded.url.slice(0, 1024),
    user_agent: bounded.user_agent.slice(0, 512),
  };
  const text = JSON.stringify(data ?? '');
  for (let room = MAX_STRING_CHARS; room > 1; room = Math.floor(room / 2)) {
    const cut = { ...rest, data: text.slice(0, room) };
    if (JSON.stringify(cut).length <= MAX_RECORD_CHARS) return cut;
  }
  return rest;
}
