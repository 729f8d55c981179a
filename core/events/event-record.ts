/** Most characters of one record as JSON, and of one string in it (S-159). */
export const MAX_RECORD_CHARS = 8192;
export const MAX_STRING_CHARS = 4096;

type Level = 'info' | 'warning' | 'error';

/** What every record of a session says (S-040); what is not known yet is left out. */
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

/** Names that the specification gives without the prefix. */
const UNPREFIXED = /^(tab-storage-invalid|surrogate-view-start-failed|double-fault)$/;

/** The name under which an event is sent: `tc-` and what it is (M-101). */
export function eventName(name: string): string {
  return name.startsWith('tc-') || UNPREFIXED.test(name) ? name : `tc-${name}`;
}

/** Any value as something that JSON can carry, with its strings capped. */
function capped(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_STRING_CHARS);
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value;
  if (typeof value !== 'object') return typeof value; // a function, a symbol, a number that is none
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => capped(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capped(item, depth - 1)]));
}

/** Brings a record within its bounds: what makes it too long is its data, of which the beginning is kept as text. */
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
