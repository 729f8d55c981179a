import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import http from 'node:http';
import { isIPv4, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Log } from '../../../../core/contracts/scope.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { evaluate, launch, silent, type Launched } from '../../../surrogate/tests/fixture.ts';

describe('a surrogate behind its egress proxy', () => {
  const asked = new Set<string>();
  const refused: unknown[] = [];
  const log: Log = { ...silent, info: (_message, data) => refused.push(data) };
  const hits: string[] = [];
  const allowed = http.createServer((request, response) => {
    if (request.url === '/to-private')
      response.writeHead(302, { location: `http://localhost:${port(forbidden)}/secret` }).end();
    else response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><p>hello');
  });
  const forbidden = http.createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('secret');
  });
  const sockets = new WebSocketServer({ server: allowed });
  let launched: Launched;
  let page: CdpSession;

  function port(server: http.Server): number {
    return (server.address() as AddressInfo).port; // it listens on TCP
  }

  beforeAll(async () => {
    for (const server of [allowed, forbidden]) await once(server.listen(0, '127.0.0.1'), 'listening');
    sockets.on('connection', (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    );
    const decide = ({ host }: { readonly host: string }) => {
      asked.add(host);
      return { allow: true } as const;
    };
    const egressOptions = { log, decide, allowNetworks: [`127.0.0.1:${port(allowed)}`], ownPorts: [port(forbidden)] };
    launched = await launch({}, egressOptions);
    page = await launched.open();
    await page.send('Page.enable');
  });
  afterAll(async () => {
    await launched.close();
    for (const server of [allowed, forbidden]) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function navigate(url: string): Promise<string | undefined> {
    const loaded = new Promise((resolve) => page.on('Page.loadEventFired', resolve));
    const { errorText } = await page.send('Page.navigate', { url });
    if (!errorText) await loaded;
    return errorText;
  }

  it('sends no requests of its own', async () => {
    await delay(1000);
    expect([...asked]).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('loads permitted addresses, loopback too, and carries websockets', async () => {
    expect(await navigate(`http://127.0.0.1:${port(allowed)}/`)).toBeUndefined();
    expect(await evaluate(page, 'document.body.innerText')).toBe('hello');
    const echo = `new Promise((resolve, reject) => {
      const socket = new WebSocket('ws://127.0.0.1:${port(allowed)}/');
      socket.onopen = () => socket.send('through');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => reject(new Error('socket'));
    })`;
    expect(await evaluate(page, echo)).toBe('through');
    expect([...asked]).toEqual(['127.0.0.1']);
  });

  it('does not follow a redirect to a private address, and keeps the reason', async () => {
    expect(await navigate(`http://127.0.0.1:${port(allowed)}/to-private`)).toMatch(/^net::/);
    expect(await evaluate(page, 'location.href')).toBe('chrome-error://chromewebdata/');
    expect(launched.egress.reasonFor(`http://localhost:${port(forbidden)}/`)?.code).toBe('own-service');
    expect(await navigate(`https://localhost:${port(forbidden)}/`)).toBe('net::ERR_TUNNEL_CONNECTION_FAILED');
    await navigate(`http://127.0.0.1:${port(allowed)}/`);
    const fetches = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'].map(
      (host) => `fetch('http://${host}:${port(forbidden)}/secret', { mode: 'no-cors' }).then(() => 0, () => 0)`,
    );
    await evaluate(page, `Promise.all([${fetches.join()}])`);
    expect(hits).toEqual([]);
  });

  it('sends no UDP past the proxy', async () => {
    const udp = createSocket('udp4');
    let packets = 0;
    udp.on('message', () => packets++);
    await once(udp.bind(0, '0.0.0.0'), 'listening');
    const { port: udpPort } = udp.address();
    // Without the policy it sends from every interface but loopback, and continues to gather for many seconds.
    const addresses = Object.values(networkInterfaces()).flatMap(
      (entries) => entries?.map(({ address }) => address) ?? [],
    );
    const iceServers = addresses
      .filter((address) => isIPv4(address))
      .map((address) => ({ urls: `stun:${address}:${udpPort}` }));
    const gathered = await evaluate<string[]>(
      page,
      `new Promise((resolve) => {
        const candidates = [];
        const peer = new RTCPeerConnection({ iceServers: ${JSON.stringify(iceServers)} });
        peer.createDataChannel('x');
        peer.onicecandidate = ({ candidate }) => candidate ? candidates.push(candidate.candidate) : resolve(candidates);
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        setTimeout(() => resolve(candidates), 2000);
      })`,
    );
    const transport = `new WebTransport('https://127.0.0.1:${udpPort}/').ready.then(() => 'open', () => 'failed')`;
    expect(await evaluate(page, `typeof WebTransport === 'undefined' ? 'failed' : ${transport}`)).toBe('failed');
    expect(gathered.filter((candidate) => / udp /i.test(candidate))).toEqual([]);
    expect(packets).toBe(0);
    udp.close();
  });
});
