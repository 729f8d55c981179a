import { afterEach, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { MAX_WEBSOCKETS, Rates, RATES } from '../rates.ts';
import { listen, playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance | undefined;
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await gateway?.close();
});

/** Rates that time gives nothing back to. */
const still = (): Rates => new Rates(() => 0);

/** Reports no events from an address. */
function report(address: string, headers: Readonly<Record<string, string>> = {}) {
  return gateway!.inject({
    method: 'POST',
    url: '/safeview-client-logger/clientevent',
    headers: { host: '203.0.113.1:7700', ...headers },
    payload: { items: [] },
    remoteAddress: address,
  });
}

describe('rates', () => {
  it('[M4] allow a burst, then as many as time gives back, for each address and kind apart', () => {
    let now = 0;
    const rates = new Rates(() => now);
    const { burst, perSecond } = RATES.pairing;
    for (let count = 0; count < burst; count += 1) expect(rates.take('a', 'pairing')).toBe(0);
    expect(rates.take('a', 'pairing')).toBeCloseTo(1 / perSecond);
    expect(rates.take('b', 'pairing')).toBe(0);
    expect(rates.take('a', 'events')).toBe(0);
    now += 1000 / perSecond;
    expect(rates.take('a', 'pairing')).toBe(0);
    expect(rates.take('a', 'pairing')).toBeGreaterThan(0);
    now += 3_600_000;
    for (let count = 0; count < burst; count += 1) expect(rates.take('a', 'pairing')).toBe(0);
    expect(rates.take('a', 'pairing')).toBeGreaterThan(0);
  });

  it('[M4] remember a bounded number of addresses, those that were active last', () => {
    const rates = new Rates(() => 0, 100);
    for (let count = 0; count <= RATES.admission.burst; count += 1) rates.take('busy', 'admission');
    for (let count = 0; count < 1000; count += 1) {
      expect(rates.take(`other-${count}`, 'admission')).toBe(0);
      expect(rates.take('busy', 'admission')).toBeGreaterThan(0);
      expect(rates.size).toBeLessThanOrEqual(100);
    }
  });

  it('[M4] refuse requests past them with 429, the time to wait and a reason; this machine has none', async () => {
    gateway = await playedGateway({}, { rates: still() });
    for (let count = 0; count < RATES.events.burst; count += 1)
      expect((await report('2001:db8:1:2::7')).statusCode).toBe(200);
    const refused = await report('2001:db8:1:2:ffff::9');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({
      code: 'too-many-requests',
      message: 'Too many requests (events) from this network address.',
    });
    expect((await report('2001:db8:1:3::7')).statusCode).toBe(200);
    for (let count = 0; count < RATES.events.burst + 50; count += 1)
      expect((await report('127.0.0.1')).statusCode).toBe(200);
  });

  it('[M4] hold for an IPv6 network, too, whose clients have many addresses', async () => {
    gateway = await playedGateway({}, { rates: still() });
    const most = 4 * RATES.events.burst;
    // A refusal of one address takes nothing from its network.
    for (let count = 0; count < RATES.events.burst + 100; count += 1) await report('2001:db8:1::7');
    for (let count = RATES.events.burst; count < most; count += 1)
      expect((await report(`2001:db8:1:${(1 + (count % 1000)).toString(16)}::7`)).statusCode).toBe(200);
    expect((await report('2001:db8:1:ffff::7')).statusCode).toBe(429);
    expect((await report('2001:db8:2:ffff::7')).statusCode).toBe(200);
  });

  it('[M4] bound this machine too where people come from others: by a proxy here that nobody has named', async () => {
    gateway = await playedGateway({}, { rates: still(), isExposed: true });
    for (let count = 0; count < RATES.events.burst; count += 1)
      expect((await report('127.0.0.1')).statusCode).toBe(200);
    expect((await report('::1')).statusCode).toBe(429);
  });

  it('[M4] of pages that are posted do not bound those that are opened', async () => {
    gateway = await playedGateway({}, { rates: still() });
    for (let count = 0; count <= RATES.posts.burst; count += 1)
      expect(
        (
          await gateway.inject({
            url: '/https://site.test/',
            headers: { host: '203.0.113.1' },
            remoteAddress: '203.0.113.7',
          })
        ).statusCode,
      ).toBe(200);
  });

  it.each([
    ['pairing', 'POST', '/r/pair'],
    ['pairing', 'POST', '/r/repair'],
    ['sign-in', 'POST', '/safeview-auth-server/check'],
    ['sign-in', 'POST', '/safeview-auth-server/do_itok_auth'],
    ['posts', 'POST', '/https://site.test/form'],
    ['polls', 'POST', '/r/p'],
    ['polls', 'POST', '/r/push'],
    ['events', 'POST', '/safeview-client-logger/pingstats'],
    ['policy', 'POST', '/r/policy/query'],
    ['policy', 'POST', '/r/policy/bypass'],
    ['admission', 'GET', '/vitrine-admission'],
    ['websockets', 'GET', '/r/websocket'],
    ['websockets', 'GET', '/r/wsecho'],
  ] as const)('[M4] of %s bound %s %s', async (kind, method, url) => {
    gateway = await playedGateway({}, { rates: still() });
    const ask = async () =>
      (await gateway!.inject({ method, url, headers: { host: '203.0.113.1' }, remoteAddress: '203.0.113.7' }))
        .statusCode;
    for (let count = 0; count < RATES[kind].burst; count += 1) expect(await ask()).not.toBe(429);
    expect(await ask()).toBe(429);
  });
});

describe('a proxy before the host', () => {
  const forwarded = (client: string) => ({ 'x-forwarded-for': client });
  /** Status of one report more than the rate allows. */
  const exhaust = async (address: string, client: string): Promise<number> => {
    for (let count = 0; count < RATES.events.burst; count += 1)
      expect((await report(address, forwarded(client))).statusCode).toBe(200);
    return (await report(address, forwarded(client))).statusCode;
  };

  it('[M4] is believed only where it is trusted', async () => {
    gateway = await playedGateway({}, { rates: still(), trustedProxies: ['10.0.0.0/8'] });
    expect(await exhaust('10.1.2.3', '198.51.100.1')).toBe(429);
    expect((await report('10.1.2.3', forwarded('198.51.100.2'))).statusCode).toBe(200);
    // An address that a client has written itself stands before the one that the proxy has added.
    expect((await report('10.1.2.3', forwarded('198.51.100.3, 198.51.100.1'))).statusCode).toBe(429);
    // One that is not trusted says that it is this machine.
    expect(await exhaust('203.0.113.9', '127.0.0.1')).toBe(429);
  });
});

describe('websockets', () => {
  it('[M4] of one address are bounded, and free again once they are closed', async () => {
    gateway = await playedGateway({}, { trustedProxies: ['127.0.0.1'] });
    const port = await listen(gateway);
    const open = (): Promise<number> =>
      new Promise((resolve) => {
        const headers = { 'x-forwarded-for': '198.51.100.1' };
        const socket = new WebSocket(`ws://127.0.0.1:${port}/r/wsecho`, { headers });
        sockets.push(socket);
        socket.once('open', () => resolve(101));
        socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
        socket.on('error', () => undefined);
      });
    for (let count = 0; count < MAX_WEBSOCKETS; count += 1) expect(await open()).toBe(101);
    expect(await open()).toBe(429);
    const one = sockets.find(({ readyState }) => readyState === WebSocket.OPEN);
    one?.terminate();
    await expect.poll(open).toBe(101);
  });
});
