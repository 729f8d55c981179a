import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import type { Link, RoutedAnswer, RoutedRequest } from '../../contracts/link.ts';
import { listen, playedGateway } from './played-gateway.ts';

type Options = Parameters<Link['request']>[2];
type Played = (request: RoutedRequest, options: Options) => Promise<RoutedAnswer>;

const linkBody = (chunks: AsyncIterable<Uint8Array>) => ({ ...chunks, abort: () => undefined });
async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const body = (...texts: string[]) => {
  const chunks = bytes(...texts);
  return linkBody({ [Symbol.asyncIterator]: () => chunks });
};

describe('a request to the route of a plugin', () => {
  let gateway: Awaited<ReturnType<typeof playedGateway>>;
  let base: string;
  let play: Played;
  beforeAll(async () => {
    gateway = await playedGateway(
      { request: (_person, request, options) => play(request, options) },
      { routes: ['GET /r/thing', 'POST /r/thing/part', 'GET /r/thing/below/*'] },
    );
    base = `http://127.0.0.1:${await listen(gateway)}`;
  });
  afterAll(() => gateway.close());

  it('passes a body on that is larger than what the gateway would keep', async () => {
    let size = 0;
    play = async (_request, options) => {
      for await (const chunk of options.body ?? []) size += chunk.length;
      return { status: 200, type: 'application/pdf' };
    };
    const sent = Buffer.alloc(40 * 1024 * 1024);
    expect((await fetch(`${base}/r/thing/part`, { method: 'POST', body: sent })).status).toBe(200);
    expect(size).toBe(sent.length);
  });

  it('is forwarded with its query, and the answer is a file that is not cached, run or framed', async () => {
    const asked: RoutedRequest[] = [];
    play = async (request) => {
      asked.push(request);
      return { status: 200, type: 'application/pdf', filename: 'a b.pdf', body: body('one', 'two') };
    };
    const answer = await fetch(`${base}/r/thing?a=1&b=2&b=3`);
    expect(asked).toEqual([{ method: 'GET', path: '/r/thing', query: { a: '1', b: '3' } }]);
    expect([answer.status, await answer.text()]).toEqual([200, 'onetwo']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="a b.pdf"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(`${base}/r/thing/part`)).status).toBe(404);
  });

  it('has the rest of its path, and asks for a part of a file', async () => {
    const asked: RoutedRequest[] = [];
    play = async (request) => {
      asked.push(request);
      return {
        status: 206,
        type: 'application/octet-stream',
        filename: 'Rechnung № 7.pdf',
        size: 3,
        part: { first: 2, last: 4, total: 9 },
        tag: 'abc',
        body: body('two'),
      };
    };
    const headers = { range: 'bytes=2-4', 'if-range': '"abc"' };
    const answer = await fetch(`${base}/r/thing/below/a%2fb/c?q=1`, { headers });
    expect(asked).toEqual([
      {
        method: 'GET',
        path: '/r/thing/below/*',
        rest: 'a/b/c',
        query: { q: '1' },
        range: 'bytes=2-4',
        ifRange: '"abc"',
      },
    ]);
    expect([answer.status, await answer.text()]).toEqual([206, 'two']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': `attachment; filename="Rechnung ? 7.pdf"; filename*=UTF-8''Rechnung%20%E2%84%96%207.pdf`,
      'content-length': '3',
      'content-range': 'bytes 2-4/9',
      'accept-ranges': 'bytes',
      etag: '"abc"',
    });
    play = async () => ({ status: 416, type: 'text/plain; charset=utf-8', part: { first: 0, last: 0, total: 9 } });
    const none = await fetch(`${base}/r/thing/below/x`, { headers: { range: `bytes=${'9'.repeat(300)}-` } });
    expect([none.status, none.headers.get('content-range')]).toEqual([416, 'bytes */9']);
  });

  it.each([
    ['longer', ['one', 'HTTP/1.1 200 OK']],
    ['shorter', ['on']],
  ])('ends the connection of an answer that is %s than its cell has announced', async (_how, chunks) => {
    play = async () => ({ status: 200, type: 'application/pdf', size: 3, body: body(...chunks) });
    const read = fetch(`${base}/r/thing`).then((answer) => answer.text());
    await (chunks.length > 1 ? expect(read.catch(() => 'one')).resolves.toBe('one') : expect(read).rejects.toThrow());
  });

  it('streams its body and passes on its type', async () => {
    const read: string[] = [];
    play = async ({ contentType }, { body: sent }) => {
      for await (const chunk of sent ?? []) read.push(Buffer.from(chunk).toString());
      return { status: 201, type: 'text/plain; charset=utf-8', body: body(`${contentType}: ${read.join('')}`) };
    };
    const sent = Readable.toWeb(Readable.from([Buffer.from('{no'), Buffer.from(' json')])) as ReadableStream;
    const answer = await fetch(`${base}/r/thing/part`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: sent,
      duplex: 'half',
    } as RequestInit); // a truncated body
    expect([answer.status, await answer.text()]).toEqual([201, 'application/json: {no json']);
  });

  it.each<[string, Played, number, object]>([
    [
      'with the status that its plugin has declared',
      async () => ({ code: 'thing-broken', message: 'It broke.', retryable: false, status: 409 }),
      409,
      { code: 'thing-broken', message: 'It broke.' },
    ],
    [
      'with the core’s status',
      async () => ({ code: 'policy-refused', message: 'No.', retryable: false }),
      403,
      { code: 'policy-refused', message: 'No.' },
    ],
    [
      'without its message if it is not declared',
      async () => ({ code: 'internal', message: 'secret', retryable: false }),
      500,
      { code: 'internal', message: 'The host failed to answer.' },
    ],
    [
      'of the link',
      async () => Promise.reject(new AppError('session-not-found', 'There is no such session.')),
      404,
      { code: 'session-not-found', message: 'There is no such session.' },
    ],
  ])('fails %s', async (_how, played, status, told) => {
    play = played;
    const answer = await fetch(`${base}/r/thing`);
    expect([answer.status, await answer.json()]).toEqual([status, told]);
  });

  it('is one of at most 32, and its plugin is notified when the browser closes it', async () => {
    const signals: AbortSignal[] = [];
    play = (_request, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const first = await fetch(`${base}/healthz`);
    const cookie = first.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const leaving = new AbortController();
    const ask = () => fetch(`${base}/r/thing`, { headers: { cookie }, signal: leaving.signal });
    const asked = Array.from({ length: 32 }, () => ask().catch(() => undefined));
    await expect.poll(() => signals.length).toBe(32);
    expect((await ask()).status).toBe(429);
    leaving.abort();
    await Promise.all(asked);
    await expect.poll(() => signals.every(({ aborted }) => aborted)).toBe(true);
    play = async () => ({ status: 200, type: 'application/json', body: body('{}') });
    expect((await fetch(`${base}/r/thing`, { headers: { cookie } })).status).toBe(200);
  });

  it('is refused with a query that is too long', async () => {
    const names = Array.from({ length: 51 }, (_, i) => `n${i}=1`).join('&');
    expect((await fetch(`${base}/r/thing?${names}`)).status).toBe(400);
  });
});
