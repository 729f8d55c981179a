import type { Protocol } from 'devtools-protocol/types/protocol.js';

/** Freshness of a response that must not be stored. */
export const NEVER_KEPT = -1;
/** Freshness of a response that may be kept without limit. */
const ALWAYS = Infinity;
/** Status codes of responses for which browsers estimate a lifetime. */
const GUESSED = [200, 203, 206];
const PERMANENT = [300, 301, 308, 410];
/** Share of a response's age that is its estimated lifetime. */
const GUESSED_SHARE = 0.1;

/** A response as the surrogate reports it. */
export type SeenResponse = Pick<Protocol.Network.Response, 'status' | 'headers' | 'responseTime' | 'fromServiceWorker'>;

/**
 * Seconds from `now` (in ms) for which the surrogate uses a response without revalidation, as its cache does (RFC
 * 9111): the person's browser must not keep it longer. Until then it may show a response that the surrogate has
 * replaced earlier, after a reload past the cache or where a service worker has taken control. 0: it revalidates each
 * time; {@link NEVER_KEPT}: it stores nothing.
 */
export function freshSeconds(response: SeenResponse, now: number): number {
  const header = headerOf(response.headers);
  const control = header('cache-control').toLowerCase();
  if (/\bno-store\b/.test(control)) return NEVER_KEPT;
  if (response.fromServiceWorker) return 0; // it may vary with each request
  if (/\bno-cache\b/.test(control) || /(?:^|[\s,])(?:\*|cookie)(?:[\s,]|$)/i.test(header('vary'))) return 0;
  if (control === '' && /\bno-cache\b/i.test(header('pragma'))) return 0;
  const lifetime = lifetimeOf(response, control, header);
  const received = response.responseTime ?? now;
  const age = Math.max(Number.parseInt(header('age'), 10) || 0, (received - dateOf(header('date'), received)) / 1000);
  return Math.max(0, Math.floor(lifetime - Math.max(0, age) - Math.max(0, now - received) / 1000));
}

/** In seconds, from the time of the response's creation. */
function lifetimeOf({ status, responseTime }: SeenResponse, control: string, header: (name: string) => string): number {
  const explicit = /\bmax-age\s*=\s*"?(\d+)/.exec(control)?.[1];
  if (explicit !== undefined) return Number(explicit);
  const date = dateOf(header('date'), responseTime ?? 0);
  if (header('expires') !== '') return (dateOf(header('expires'), 0) - date) / 1000; // an invalid date means expired
  if (PERMANENT.includes(status)) return ALWAYS;
  if (!GUESSED.includes(status) || /\bmust-revalidate\b/.test(control)) return 0;
  return (GUESSED_SHARE * Math.max(0, date - dateOf(header('last-modified'), date))) / 1000;
}

function dateOf(text: string, otherwise: number): number {
  const date = Date.parse(text);
  return Number.isNaN(date) ? otherwise : date;
}

function headerOf(headers: Readonly<Record<string, string>>): (name: string) => string {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => lower.get(name) ?? '';
}
