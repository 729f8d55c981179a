import type { Origin, ResourceCdp } from './resource-cdp.ts';

/** Most addresses whose requests are remembered; the oldest go first. */
const MAX_ADDRESSES = 5000;
/** Longest address that is remembered, in UTF-16 units. */
const MAX_ADDRESS_UNITS = 64 * 1024;

/** What is known of the last request for an address. */
export interface SeenRequest {
  readonly requestId: string;
  readonly origin: Origin;
  /** `blocked`: the page's own policy, or CORS, keeps it from the page. */
  state: 'pending' | 'done' | 'failed' | 'blocked';
  /** Whether its response may be kept: neither it nor a redirect on the way says `no-store` or `no-cache`. */
  keep: boolean;
  readonly waiting: (() => void)[];
}

/** What the surrogate has requested, so that bodies can be had from it later without a second request. */
export class RequestLog {
  readonly #byAddress = new Map<string, SeenRequest>();
  readonly #byId = new Map<string, SeenRequest>();
  readonly #expected = new Map<string, (() => void)[]>();

  constructor(cdp: ResourceCdp) {
    cdp.on('Network.requestWillBeSent', ({ requestId, request: { url, method }, redirectResponse }, origin) => {
      if (method !== 'GET') return;
      // A redirect comes under the id of its request: both addresses lead to the body.
      const request = this.#byId.get(requestId) ?? newRequest(requestId, origin);
      request.keep &&= !redirectResponse || isKept(redirectResponse.headers);
      this.#seen(url, request);
    });
    cdp.on('Network.responseReceived', ({ requestId, response }) => {
      const request = this.#byId.get(requestId);
      if (request) request.keep &&= isKept(response.headers);
    });
    cdp.on('Network.loadingFinished', ({ requestId }) => this.#settle(requestId, 'done'));
    cdp.on('Network.loadingFailed', ({ requestId, blockedReason, corsErrorStatus }) => {
      this.#settle(requestId, blockedReason || corsErrorStatus ? 'blocked' : 'failed');
    });
  }

  get(address: string): SeenRequest | undefined {
    return this.#byAddress.get(address);
  }

  /** Resolves when the request is over, or the time is; never rejects. */
  async settled(request: SeenRequest, ms: number): Promise<void> {
    if (request.state === 'pending') await within(ms, (done) => request.waiting.push(done));
  }

  /** Resolves when an address is requested, or the time is over. */
  async expected(address: string, ms: number): Promise<void> {
    if (this.#byAddress.has(address)) return;
    const waiting = this.#expected.get(address) ?? [];
    this.#expected.set(address, waiting);
    await within(ms, (done) => waiting.push(done));
    this.#expected.delete(address);
  }

  #seen(url: string, request: SeenRequest): void {
    const address = url.startsWith('data:') ? '' : withoutFragment(url);
    if (address === '' || address.length > MAX_ADDRESS_UNITS) return;
    const earlier = this.#byAddress.get(address);
    this.#byAddress.delete(address);
    this.#byAddress.set(address, request);
    this.#byId.set(request.requestId, request);
    if (earlier && earlier !== request) this.#forget(earlier);
    if (this.#byAddress.size > MAX_ADDRESSES) {
      const [oldest, old] = this.#byAddress.entries().next().value as [string, SeenRequest]; // it is not empty
      this.#byAddress.delete(oldest);
      this.#forget(old);
    }
    for (const done of this.#expected.get(address) ?? []) done();
  }

  #settle(requestId: string, state: Exclude<SeenRequest['state'], 'pending'>): void {
    const request = this.#byId.get(requestId);
    if (!request) return;
    request.state = state;
    for (const done of request.waiting.splice(0)) done();
  }

  #forget(request: SeenRequest): void {
    if (request.state === 'pending') this.#settle(request.requestId, 'failed');
    if (this.#byId.get(request.requestId) === request) this.#byId.delete(request.requestId);
  }
}

function newRequest(requestId: string, origin: Origin): SeenRequest {
  return { requestId, origin, state: 'pending', keep: true, waiting: [] };
}

function isKept(headers: Readonly<Record<string, string>>): boolean {
  const control = Object.entries(headers).find(([name]) => name.toLowerCase() === 'cache-control');
  return !/no-store|no-cache/i.test(control?.[1] ?? '');
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}

async function within(ms: number, start: (done: () => void) => void): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    start(() => {
      clearTimeout(timer);
      done();
    });
  });
}
