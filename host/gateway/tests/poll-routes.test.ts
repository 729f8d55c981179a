import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChannelNames, TransportEnd } from '../../contracts/link.ts';
import { listen, playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance;
let port: number;
let attached: { readonly names: ChannelNames; readonly end: TransportEnd }[];
let received: string[];
let cookie: string;
let detached: string[];
/** Until then nothing is attached. */
let attaching: Promise<unknown>;

beforeEach(async () => {
  attached = [];
  received = [];
  cookie = '';
  detached = [];
  attaching = Promise.resolve();
  gateway = await playedGateway({
    attach: async (_person, names, end) => {
      attached.push({ names, end });
      await attaching;
      if (names.cid !== 'known') return undefined;
      return {
        receive: (json) => void received.push(Buffer.from(json).toString()),
        detach: (reason) => void detached.push(reason),
      };
    },
  });
  port = await listen(gateway);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await gateway.close();
});

/** One pull of a client, and its answer once there is one. `tms` in ms. */
function pulled(
  pull: number,
  tms: number,
  more: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
) {
  const query = { cid: 'known', rid: 'r', cl: 'local', tab_id: 't', chid: 'c', msg_nr: '4', xid: 'x', ...more };
  const answer: { status?: number; body?: readonly number[]; heldMs?: number } = {};
  const asked = { ...query, tms: String(tms), pull: String(pull) };
  const address = `http://127.0.0.1:${port}/r/p?${new URLSearchParams(asked)}`;
  const answered = fetch(address, { method: 'POST', headers: { cookie }, signal }).then(
    async ({ status, headers, body }) => {
      cookie ||= headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const heldMs = Number(headers.get('x-backend-delay'));
      Object.assign(answer, { status, body: [...(await buffer(body!))], heldMs }); // it has one
    },
  );
  return { answer, answered };
}

/** Resolves once something is so, without any time going by. */
async function turns(isSo: () => boolean): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!isSo());
}
/** Resolves once the gateway holds the second pull: it has acknowledged what the client has. */
const held = (): Promise<void> => turns(() => received.length > 0);
/** Lets more time go by than any pull asks for: one that is held for too long is answered too, and says how long. */
const longer = (): Promise<unknown> => vi.advanceTimersByTimeAsync(70_000);

/** The first pull of a client. */
async function confirmed(): Promise<void> {
  const { answered } = pulled(1, 0);
  await turns(() => attached.length > 0);
  await longer();
  await answered;
}

describe('a pull', () => {
  it('[M-077] confirms at once that the session is known, whatever time the first one gives', async () => {
    const { answer, answered } = pulled(1, 9000);
    await turns(() => attached.length > 0);
    await longer();
    await answered;
    expect(answer).toEqual({ status: 200, body: [], heldMs: 0 });
    expect(attached.map(({ names }) => names)).toEqual([{ cid: 'known', tabId: 't', chid: 'c', received: 4 }]);
  });

  it.each([
    [0, 0],
    [300, 300],
    [11_999, 11_999],
    [60_000, 12_000], // 12 s at most: proxies end longer ones
  ])('[M-077] is held for the time in tms where nothing comes, of %i ms for %i', async (tms, heldMs) => {
    await confirmed();
    const { answer, answered } = pulled(2, tms);
    await held();
    if (heldMs > 0) {
      await vi.advanceTimersByTimeAsync(heldMs - 1);
      expect(answer).toEqual({});
    }
    await longer();
    await answered;
    expect(answer).toEqual({ status: 200, body: [], heldMs });
    expect(received).toEqual(['{"ack":4}']);
  });

  it('[M-077] is answered with what comes meanwhile', async () => {
    await confirmed();
    const { answer, answered } = pulled(2, 9000);
    await held();
    await vi.advanceTimersByTimeAsync(250);
    void attached[0]?.end.send(new Uint8Array([1, 2, 3]));
    await answered;
    expect(answer).toEqual({ status: 200, body: [1, 2, 3], heldMs: 250 });
  });

  it('is no client of its tab where it is lost while it is attached', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    attaching = promise;
    let isLost = false;
    gateway.server.on('connection', (socket) => socket.once('close', () => (isLost = true)));
    const left = new AbortController();
    const { answered } = pulled(1, 0, {}, left.signal);
    answered.catch(() => undefined);
    await turns(() => attached.length > 0);
    left.abort();
    await turns(() => isLost);
    resolve(undefined);
    await turns(() => detached.length > 0);
    expect(detached).toEqual(['pull lost']);
  });

  it('[M-077] is refused for a session that is not known', async () => {
    const { answer, answered } = pulled(1, 0, { cid: 'other' });
    await answered;
    expect(answer.status).toBe(404);
  });
});
