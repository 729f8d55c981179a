import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import { sharesOf } from './client-address.ts';

/** Allowed requests of one client address: so many at once, and so many more in a second. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Rates by kind of request. An address may be that of a whole office. */
export const RATES = {
  admission: { burst: 20, perSecond: 1 },
  pairing: { burst: 120, perSecond: 4 },
  /** Two for each pairing, where there are other hosts: of all people only so many tokens are remembered. */
  'sign-in': { burst: 240, perSecond: 8 },
  posts: { burst: 30, perSecond: 1 },
  websockets: { burst: 600, perSecond: 20 },
  polls: { burst: 2000, perSecond: 500 },
  events: { burst: 300, perSecond: 20 },
  policy: { burst: 600, perSecond: 20 },
} as const satisfies Record<string, Rate>;
type Kind = keyof typeof RATES;

/** Kinds of requests by their route, or by method and route. */
const KINDS: Readonly<Record<string, Kind>> = {
  '/vitrine-admission': 'admission',
  '/r/pair': 'pairing',
  '/r/repair': 'pairing',
  '/r/unpair': 'pairing',
  '/safeview-auth-server/check': 'sign-in',
  '/safeview-auth-server/do_itok_auth': 'sign-in',
  'POST /vitrine-page': 'posts',
  '/r/websocket': 'websockets',
  '/r/wsecho': 'websockets',
  '/r/p': 'polls',
  '/r/push': 'polls',
  '/safeview-client-logger/clientevent': 'events',
  '/safeview-client-logger/pingstats': 'events',
  '/r/policy/query': 'policy',
  '/r/policy/:action': 'policy',
};

/** Open websockets that one client address may have. */
export const MAX_WEBSOCKETS = 300;
/** Addresses that are remembered, each once per kind; past it the one that was quiet for the longest time starts anew. */
const MAX_BUCKETS = 20_000;

/** The rest of the rates of client addresses: token buckets. */
export class Rates {
  readonly #buckets = new Map<string, { left: number; at: number }>();
  readonly #now: () => number;
  readonly #max: number;

  /** @param now the time in ms @param max addresses that are remembered, each once per kind */
  constructor(now: () => number = () => performance.now(), max = MAX_BUCKETS) {
    this.#now = now;
    this.#max = max;
  }

  /** Addresses that are remembered, each once per kind. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one request of an address, or of a network with `factor` times its rate. Returns the time until the next is allowed, in seconds; 0 when this one is. */
  take(address: string, kind: Kind, factor = 1): number {
    const burst = RATES[kind].burst * factor;
    const perSecond = RATES[kind].perSecond * factor;
    const key = `${kind} ${address}`;
    const now = this.#now();
    const known = this.#buckets.get(key) ?? { left: burst, at: now };
    const left = Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond);
    this.#buckets.delete(key); // the newest is the last
    this.#buckets.set(key, { left: left >= 1 ? left - 1 : left, at: now });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#max) break;
      this.#buckets.delete(oldest);
    }
    return left >= 1 ? 0 : (1 - left) / perSecond;
  }
}

/**
 * Refuses requests of a client address that sends too many of a kind, and websockets of one that has too many open.
 * Requests without an address have no limit.
 */
export function limitRates(app: FastifyInstance, rates: Rates): void {
  const open = new Map<string, number>();
  app.addHook('onRequest', async (request) => {
    const { address, method, routeOptions, ws, raw } = request;
    const { url = '' } = routeOptions;
    const kind = KINDS[url] ?? KINDS[`${method} ${url}`];
    if (kind === undefined || address === undefined) return;
    const shares = sharesOf(request.ip, address);
    for (const [key, factor] of shares) {
      const waitS = rates.take(key, kind, factor); // one address past its own takes nothing from its network
      if (waitS > 0) throw tooMany(`Too many requests (${kind}) from this network address.`, waitS);
    }
    if (!ws) return;
    if (shares.some(([key, factor]) => (open.get(key) ?? 0) >= MAX_WEBSOCKETS * factor))
      throw tooMany('Too many open websockets of this network address.', 1);
    for (const [key] of shares) open.set(key, (open.get(key) ?? 0) + 1);
    raw.socket.once('close', () => {
      for (const [key] of shares) {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    });
  });
}

function tooMany(message: string, waitS: number): AppError {
  return new AppError('too-many-requests', message, { retryable: true, data: { retryAfterS: Math.ceil(waitS) } });
}
