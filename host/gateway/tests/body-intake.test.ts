import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { PERSON_COOKIE, personCookies } from '../person.ts';
import { arrivalMs, BodyBudget } from '../body-intake.ts';
import { listen, playedGateway, SECRET } from './played-gateway.ts';

const MIB = 1024 * 1024;
const PAGE = '/https://site.test/form';

let gateway: FastifyInstance | undefined;
const connections: net.Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const connection of connections.splice(0)) connection.destroy();
  await gateway?.close();
});

const cookies = personCookies(SECRET);
const person = (subject: string): string => `${PERSON_COOKIE}=${cookies.of(subject)}`;

interface Posted {
  readonly target?: string;
  readonly length?: number | 'chunked';
  readonly cookie?: string;
  readonly client?: string;
}

/** A request whose body has begun; more of it may be written. */
function post(port: number, { target = PAGE, length = 4 * MIB, cookie = person('anna'), client }: Posted = {}) {
  const connection = net.connect(port, '127.0.0.1');
  connections.push(connection);
  let answer = '';
  const isOver = vi.fn();
  connection.on('data', (bytes) => (answer += String(bytes)));
  connection.on('error', isOver).on('close', isOver);
  const headers = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    `Content-Type: application/${target === PAGE ? 'x-www-form-urlencoded' : 'json'}`,
    ...(client === undefined ? [] : [`X-Forwarded-For: ${client}`]),
  ];
  connection.write(`${headers.join('\r\n')}\r\n\r\n${length === 'chunked' ? '1\r\na\r\n' : 'a'}`);
  return { connection, status: () => Number(answer.split(' ')[1] ?? 0), answer: () => answer, isOver };
}

/** Status of a whole request of the largest size. */
const fits = async (port: number, options: Posted = {}): Promise<number> => {
  const sent = post(port, options);
  sent.connection.write(Buffer.alloc(4 * MIB - 1, 'a'));
  await expect.poll(sent.status).not.toBe(0);
  return sent.status();
};

/** Begins twelve requests, and returns those that are not refused once so many are. */
async function fill(port: number, refused: number, options: (nr: number) => Posted = () => ({})) {
  const all = Array.from({ length: 12 }, (_, nr) => post(port, options(nr)));
  const others = () => all.filter(({ status }) => status() !== 429);
  await expect.poll(() => all.length - others().length).toBe(refused);
  return others();
}

async function listening(options: Parameters<typeof playedGateway>[1] = {}): Promise<number> {
  gateway = await playedGateway({}, options);
  return listen(gateway);
}

describe('bodies that are on their way', () => {
  it('are bounded for a person; others go on, and there is room again when one has ended', async () => {
    const port = await listening();
    const [first] = await fill(port, 9);
    expect(await fits(port)).toBe(429);
    expect(await fits(port, { cookie: person('ben') })).toBe(200);
    const refused = post(port);
    await expect.poll(refused.answer).toMatch(/429[\s\S]*retry-after: 1[\s\S]*too-many-requests/);
    first?.connection.destroy();
    await expect.poll(() => fits(port)).toBe(200);
  });

  it('are bounded for a client address, whoever says to send them', async () => {
    const port = await listening({ trustedProxies: ['127.0.0.1'] });
    const client = '198.51.100.1';
    await fill(port, 5, (nr) => ({ cookie: person(`of-${nr}`), client }));
    expect(await fits(port, { cookie: person('other'), client })).toBe(429);
    expect(await fits(port, { cookie: person('other'), client: '198.51.100.2' })).toBe(200);
  });

  it('that come in chunks count as the largest that may come', async () => {
    const port = await listening();
    await fill(port, 9, () => ({ length: 'chunked' }));
    expect(await fits(port)).toBe(429);
  });

  it('of requests that no route takes do no harm', async () => {
    gateway = await playedGateway();
    for (const url of ['/nothing', '/r/pair/x'])
      expect(
        (await gateway.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload: { a: 1 } })).statusCode,
      ).toBe(404);
  });

  it('take nothing of a person where there is no room for them at the address', () => {
    const budget = new BodyBudget();
    const address = '198.51.100.1';
    const others = ['ben', 'cleo'].map((subject) => budget.hold({ subject, address }, 15 * MIB));
    for (let nr = 0; nr < 10; nr += 1)
      expect(() => budget.hold({ subject: 'anna', address }, 4 * MIB)).toThrow('Too much');
    const release = budget.hold({ subject: 'anna', address: '198.51.100.2' }, 15 * MIB);
    for (const each of [...others, release]) each();
    expect(budget.bytes).toBe(0);
  });

  it('are bounded as a whole, with something for each, and leave nothing behind', () => {
    const budget = new BodyBudget();
    const held: (() => void)[] = [];
    const fillUp = (bytes: number, sender: (nr: number) => string): void => {
      for (let nr = 0; nr < 100_000; nr += 1) held.push(budget.hold({ subject: sender(nr) }, bytes));
    };
    expect(() => fillUp(4 * MIB, String)).toThrow('Too much is being sent at a time.');
    expect(held.length).toBe(31);
    expect(() => fillUp(0, () => 'many')).toThrow('Too much');
    expect(held.length).toBeLessThan(2000);
    expect(() => budget.hold({ subject: 'new', address: 'a' }, MIB)).toThrow('Too much');
    for (const release of held) release();
    for (const release of held) release();
    expect(budget.bytes).toBe(0);
    expect(Reflect.ownKeys(budget)).toEqual([]);
  });

  it('that do not arrive end with their connection; one that has arrived may wait for its answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer = (_asked: object): void => undefined;
    gateway = await playedGateway({ unpair: () => new Promise((resolve) => (answer = () => resolve())) });
    const port = await listen(gateway);
    const waiting = gateway.inject({
      method: 'POST',
      url: '/r/unpair',
      headers: { host: 'localhost' },
      payload: { safe_rid: 'x' },
    });
    const slow = [post(port), post(port, { length: 'chunked' }), post(port, { target: '/r/pair', length: 100 })];
    let advanced = 0;
    await expect
      .poll(() => {
        vi.advanceTimersByTime(10_000);
        advanced += 10_000;
        return slow.every(({ isOver }) => isOver.mock.calls.length > 0);
      })
      .toBe(true);
    expect(advanced).toBeGreaterThan(arrivalMs(4 * MIB));
    expect(slow.map(({ status }) => status())).toEqual([0, 0, 0]);
    answer({});
    expect((await waiting).statusCode).toBe(200);
  });

  it('have longer the longer they are: a slow line has time for the largest', () => {
    expect(arrivalMs(4 * MIB)).toBeGreaterThan(120_000);
    expect(arrivalMs(100)).toBeLessThan(60_000);
  });
});

describe('messages in bodies', () => {
  const send = (target: string, payload: string | Buffer, type = 'application/json', cookie = person('anna')) =>
    gateway!.inject({
      method: 'POST',
      url: target,
      headers: { host: 'localhost', 'content-type': type, cookie },
      payload,
    });

  it('have a rate in bytes for each person, which uploads and pages do not count for', async () => {
    gateway = await playedGateway({ receiveBodies: () => Promise.resolve() });
    const json = JSON.stringify({ items: [], x: 'x'.repeat(MIB - 100) });
    const events = async (cookie?: string) =>
      (await send('/safeview-client-logger/clientevent', json, undefined, cookie)).statusCode;
    const up = '/c/up?cid=a&tab_id=b&chid=c&msg_nr=0&nr=1';
    for (let nr = 0; nr < 40; nr += 1)
      expect((await send(up, Buffer.alloc(512 * 1024), 'application/octet-stream')).statusCode).toBe(200);
    expect((await send(PAGE, 'a'.repeat(4 * MIB), 'text/plain')).statusCode).toBe(200);
    const taken: number[] = [];
    while (taken.at(-1) !== 429 && taken.length < 100) taken.push(await events());
    expect(taken.at(-1)).toBe(429);
    expect(taken.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8);
    expect(await events(person('ben'))).toBe(200);
    const refused = await send('/r/push?cid=a&tab_id=b&chid=c&msg_nr=0&xid=x', '[]');
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect((await send(up, Buffer.alloc(512 * 1024), 'application/octet-stream')).statusCode).toBe(200);
  });
});
