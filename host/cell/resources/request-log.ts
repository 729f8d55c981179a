import { freshSeconds, NEVER_KEPT } from './freshness.ts';
import type { SeenResponse } from './freshness.ts';
import type { Origin, ResourceCdp } from './resource-cdp.ts';

/** Maximum number of addresses in the log; the oldest are evicted. */
const MAX_ADDRESSES = 5000;
/** Maximum length of an address in the log, and of all together, in UTF-16 units. */
const MAX_ADDRESS_UNITS = 64 * 1024;
const MAX_UNITS = 32 * 1024 * 1024;
/** Maximum length of a request id or document id in the log, in UTF-16 units: Chromium's have about ten. */
const MAX_NAME_UNITS = 256;
/** Maximum number of addresses of one request: Chromium follows 20 redirects. */
const MAX_HOPS = 21;

/** State of a document's last request for an address. */
export interface SeenRequest {
  readonly requestId: string;
  readonly origin: Origin;
  /** `blocked`: the page's own policy, or CORS, blocks it for the page. */
  state: 'pending' | 'done' | 'failed' | 'blocked';
  /** Its address, and those of its redirects; at most {@link MAX_HOPS}. */
  readonly addresses: string[];
  /** End of freshness of each response so far: in ms since 1970, or {@link NEVER_KEPT}. */
  readonly freshUntil: number[];
  /** Size of its body as far as it has arrived, in bytes, decoded. */
  bytes: number;
  /** Whether it has more addresses or responses than allowed: none is kept. */
  isEndless: boolean;
  readonly waiting: (() => void)[];
}

/** Log of the requests of the surrogate's documents, so that bodies can be read later without a second request. */
export class RequestLog {
  readonly #byAddress = new Map<string, SeenRequest>();
  readonly #byId = new Map<string, SeenRequest>();
  readonly #expected = new Map<string, (() => void)[]>();
  /** Called when a frame shows another document. */
  readonly #changed = new Set<() => void>();
  #units = 0;

  constructor(cdp: ResourceCdp) {
    cdp.onChange(() => {
      for (const look of this.#changed) look();
    });
    cdp.on('Network.requestWillBeSent', (event, origin) => {
      const { requestId, redirectResponse } = event;
      if (event.request.method !== 'GET') return;
      // A redirect has the id of its request: both addresses lead to the body.
      const request = this.#byId.get(idOf(requestId, origin)) ?? newRequest(requestId, origin);
      if (redirectResponse) answered(request, redirectResponse);
      this.#seen(origin.documentOf(event), event.request.url, request);
    });
    cdp.on('Network.responseReceived', ({ requestId, response }, origin) => {
      const request = this.#byId.get(idOf(requestId, origin));
      if (request) answered(request, response);
    });
    cdp.on('Network.dataReceived', ({ requestId, dataLength }, origin) => {
      const request = this.#byId.get(idOf(requestId, origin));
      if (request && dataLength > 0) request.bytes += dataLength;
    });
    cdp.on('Network.loadingFinished', ({ requestId }, origin) => this.#settle(idOf(requestId, origin), 'done'));
    cdp.on('Network.loadingFailed', ({ requestId, blockedReason, corsErrorStatus }, origin) => {
      this.#settle(idOf(requestId, origin), blockedReason || corsErrorStatus ? 'blocked' : 'failed');
    });
  }

  /** Returns a document's request; another document may have got another response. */
  get(document: string, address: string): SeenRequest | undefined {
    return this.#byAddress.get(keyOf(document, address));
  }

  /**
   * Resolves when the request has ended, or the time is over, or its document is gone, as `isGone` says; never rejects. Chromium does not say
   * how the requests of a document that was left have ended.
   */
  async settled(request: SeenRequest, ms: number, isGone: () => boolean): Promise<void> {
    if (request.state !== 'pending' || isGone()) return;
    let look = (): void => undefined;
    await within(ms, (done) => {
      request.waiting.push(done);
      look = () => {
        if (isGone()) done();
      };
      this.#changed.add(look);
    });
    this.#changed.delete(look);
  }

  /** Resolves when a document requests an address, or the time is over. */
  async expected(document: string, address: string, ms: number): Promise<void> {
    const key = keyOf(document, address);
    if (this.#byAddress.has(key)) return;
    const waiting = this.#expected.get(key) ?? [];
    this.#expected.set(key, waiting);
    await within(ms, (done) => waiting.push(done));
    this.#expected.delete(key);
  }

  #seen(document: string, url: string, request: SeenRequest): void {
    const address = url.startsWith('data:') ? '' : withoutFragment(url);
    if (address === '' || address.length > MAX_ADDRESS_UNITS) return;
    if (document.length > MAX_NAME_UNITS || request.requestId.length > MAX_NAME_UNITS) return;
    if (request.addresses.length >= MAX_HOPS) {
      request.isEndless = true;
      return;
    }
    request.addresses.push(address);
    const key = keyOf(document, address);
    const earlier = this.#remove(key);
    this.#byAddress.set(key, request);
    this.#byId.set(idOf(request.requestId, request.origin), request);
    this.#units += key.length;
    if (earlier && earlier !== request) this.#forget(earlier);
    for (const [oldest, old] of this.#byAddress) {
      if (this.#byAddress.size <= MAX_ADDRESSES && this.#units <= MAX_UNITS) break;
      this.#remove(oldest);
      this.#forget(old);
    }
    for (const done of this.#expected.get(key) ?? []) done();
  }

  #remove(key: string): SeenRequest | undefined {
    const request = this.#byAddress.get(key);
    if (this.#byAddress.delete(key)) this.#units -= key.length;
    return request;
  }

  #settle(id: string, state: Exclude<SeenRequest['state'], 'pending'>): void {
    const request = this.#byId.get(id);
    if (!request) return;
    request.state = state;
    for (const done of request.waiting.splice(0)) done();
  }

  #forget(request: SeenRequest): void {
    const id = idOf(request.requestId, request.origin);
    if (request.state === 'pending') this.#settle(id, 'failed');
    if (this.#byId.get(id) === request) this.#byId.delete(id);
  }
}

/**
 * Seconds for which an address leads to its response, as {@link freshSeconds}: limited by every redirect from there on.
 */
export function freshSecondsOf({ addresses, freshUntil, isEndless }: SeenRequest, address: string): number {
  const each = freshUntil.slice(addresses.indexOf(address));
  if (isEndless || each.includes(NEVER_KEPT)) return NEVER_KEPT;
  return each.length === 0 ? 0 : Math.max(0, Math.floor((Math.min(...each) - Date.now()) / 1000));
}

/** Of a response only the end of its freshness is kept. */
function answered(request: SeenRequest, response: SeenResponse): void {
  if (request.freshUntil.length >= MAX_HOPS) {
    request.isEndless = true;
    return;
  }
  const now = Date.now();
  const seconds = freshSeconds(response, now);
  request.freshUntil.push(seconds === NEVER_KEPT ? NEVER_KEPT : now + seconds * 1000);
}

function newRequest(requestId: string, origin: Origin): SeenRequest {
  return {
    requestId,
    origin,
    state: 'pending',
    addresses: [],
    freshUntil: [],
    bytes: 0,
    isEndless: false,
    waiting: [],
  };
}

/** Id of a request in the whole tab: request ids are unique within a session only. */
function idOf(requestId: string, { session }: Origin): string {
  return `${session} ${requestId}`;
}

function keyOf(document: string, address: string): string {
  return `${document} ${address}`;
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
