import { beforeEach, describe, expect, it } from 'vitest';
import { NEVER_KEPT } from '../freshness.ts';
import { freshSecondsOf, RequestLog } from '../request-log.ts';
import type { Origin, ResourceCdp } from '../resource-cdp.ts';

/** Emits an event of the surrogate's process: a compromised one emits anything. */
type Says = (event: string, params: object) => void;

const DOCUMENT = 'document';
const KEPT = { status: 200, headers: { 'cache-control': 'max-age=600' } };
const origin: Origin = {
  send: () => Promise.reject(new Error('nothing is asked for')),
  session: 1,
  documentOf: ({ loaderId }) => loaderId,
};
const address = (n: number): string => `https://site.test/${n}`;

let log: RequestLog;
let says: Says;
beforeEach(() => {
  const listeners = new Map<string, (params: never, origin: Origin) => void>();
  const cdp: Pick<ResourceCdp, 'on' | 'onChange'> = {
    on: (event, listener) => void listeners.set(event, listener),
    onChange: () => undefined,
  };
  log = new RequestLog(cdp as ResourceCdp); // it only listens
  says = (event, params) => listeners.get(`Network.${event}`)?.(params as never, origin); // untrusted data of the process
});

/** A request for address number `n`, after the response to the previous one, if it is given. */
function requests(n: number, redirectResponse?: object, requestId = 'request', loaderId = DOCUMENT): void {
  says('requestWillBeSent', { requestId, loaderId, request: { method: 'GET', url: address(n) }, redirectResponse });
}

describe('the request log of a document', () => {
  it('finds a request by each address of its redirects, with the freshness from there on', () => {
    requests(0);
    for (let n = 1; n <= 20; n++) requests(n, { ...KEPT, headers: { 'cache-control': `max-age=${n * 100}` } });
    says('responseReceived', { requestId: 'request', response: KEPT });
    says('loadingFinished', { requestId: 'request' });
    const seen = log.get(DOCUMENT, address(0))!;
    expect(seen.state).toBe('done');
    expect(log.get(DOCUMENT, address(20))).toBe(seen);
    for (const [n, seconds] of [
      [0, 100],
      [3, 400],
      [20, 600],
    ] as const) {
      expect(freshSecondsOf(seen, address(n)), address(n)).toBeLessThanOrEqual(seconds);
      expect(freshSecondsOf(seen, address(n)), address(n)).toBeGreaterThan(seconds - 60); // some have passed
    }
  });

  it('keeps a limited number of redirects, however many its process reports', () => {
    requests(0);
    for (let n = 1; n < 1000; n++) requests(n, KEPT);
    for (let n = 1; n < 1000; n++) says('responseReceived', { requestId: 'request', response: KEPT });
    const seen = log.get(DOCUMENT, address(0))!;
    expect([seen.addresses.length, seen.freshUntil.length]).toEqual([21, 21]);
    expect(log.get(DOCUMENT, address(21))).toBeUndefined();
    expect(freshSecondsOf(seen, address(0))).toBe(NEVER_KEPT);
    expect(freshSecondsOf(seen, address(20))).toBe(NEVER_KEPT);
  });

  it('keeps only the freshness of a response', () => {
    requests(0);
    says('responseReceived', { requestId: 'request', response: { ...KEPT, securityDetails: 'x'.repeat(1000) } });
    const { origin: _, ...kept } = log.get(DOCUMENT, address(0))!;
    expect(JSON.stringify(kept).length).toBeLessThan(300);
  });

  it('evicts the oldest requests above its limit', () => {
    const long = (n: number): string => `${address(n)}?${'x'.repeat(60_000)}`;
    for (let n = 0; n < 1000; n++) {
      says('requestWillBeSent', {
        requestId: `${n}`,
        loaderId: DOCUMENT,
        request: { method: 'GET', url: long(n) },
      });
    }
    expect([0, 400, 600, 999].map((n) => log.get(DOCUMENT, long(n)) !== undefined)).toEqual([false, false, true, true]);
    for (let n = 0; n < 5001; n++) requests(n, undefined, `short ${n}`);
    expect([0, 1, 5000].map((n) => log.get(DOCUMENT, address(n)) !== undefined)).toEqual([false, true, true]);
  });

  it('ignores ids that Chromium would not use', () => {
    requests(1, undefined, 'x'.repeat(1000));
    requests(2, undefined, 'request', 'x'.repeat(1000));
    expect([log.get(DOCUMENT, address(1)), log.get('x'.repeat(1000), address(2))]).toEqual([undefined, undefined]);
  });
});
