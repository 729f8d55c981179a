/** The contract of `Link` (host/contracts/link.ts), over the product's own way and over one that delays and permutes. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { PairAnswer } from '../../../core/protocol/pairing.ts';
import { jsonBody } from '../../cells/protocol.ts';
import type { ChannelNames, RoutedAnswer, TransportEnd } from '../../contracts/link.ts';
import type { Routes } from '../../contracts/routes.ts';
import type { Person } from '../../base/person.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPeer } from '../../link/peer.ts';
import { permutedPair } from '../../link/tests/permuted.ts';
import { unixSocketPair } from '../../link/tests/unix-socket.ts';
import { parsed } from '../../policy/tests/own-settings.ts';
import type { ReplaceablePolicyEngine } from '../../policy/engine.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { ANNA, BEN, browse, pairRequest, policyOf, serveSite, startWorker, TestClient } from './harness.ts';

const here = import.meta.dirname;
const SEED = 20_261_123;
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface TestedLink {
  readonly pair: () => Promise<readonly [LinkPeer, LinkPeer]>;
  /** Frames that have overtaken others; undefined where none can. */
  readonly permuted: () => number | undefined;
}

const LINKS: readonly (readonly [string, () => TestedLink])[] = [
  [
    'a unix socket',
    () => ({
      pair: async () => {
        const [gateway, cell] = await unixSocketPair();
        return [linkPeer(gateway), linkPeer(cell)];
      },
      permuted: () => undefined,
    }),
  ],
  [
    'a connection that delays frames and permutes those of different ids',
    () => {
      const all: { readonly count: number }[] = [];
      return {
        pair: async () => {
          const [gateway, cell, permutations] = permutedPair({ seed: SEED + all.length, delayMs: 4 });
          all.push(permutations);
          return [gateway, cell];
        },
        permuted: () => all.reduce((sum, { count }) => sum + count, 0),
      };
    },
  ],
];

async function bytesOf(answer: RoutedAnswer | Pick<Resource, 'body'>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const { body = [] } = 'body' in answer ? answer : {};
  for await (const chunk of body instanceof Uint8Array ? [body] : body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (thrown: unknown) => toAppError(thrown).code,
  );

const namesOf = (answer: PairAnswer, chid: string, received = 0): ChannelNames => ({
  cid: answer.cid ?? '',
  tabId: answer.tab_id ?? '',
  chid,
  received,
});

describe.each(LINKS)('the gateway’s link to sessions over %s', (_name, linkOf) => {
  const tested = linkOf();
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  let policy: ReplaceablePolicyEngine;
  /** The cells' own ends, in the order of their start. */
  const cells: LinkPeer[] = [];
  const told: string[] = [];
  const pictures: string[] = [];
  let left = 0;
  /** Requests that have come to the route that hangs. */
  let hanging = 0;

  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(10_000);
    } finally {
      left += 1;
    }
  }
  const routes: Routes = {
    'POST /r/contract/echo': ({ body }) => ({ status: 201, type: 'application/octet-stream', body }),
    'GET /r/contract/endless': () => ({ type: 'application/octet-stream', body: endless() }),
    'GET /r/contract/hangs': ({ signal }) =>
      new Promise((_resolve, reject) => {
        hanging += 1;
        signal.addEventListener('abort', () => {
          left += 1;
          reject(new AppError('contract-left', 'Nobody waits.'));
        });
      }),
    'GET /r/contract/fails': () => {
      throw new AppError('contract-broken', 'It is broken.');
    },
  };
  const contract: RegisteredPlugin = {
    manifest: {
      id: 'contract',
      version: '1.0.0',
      api: PLUGIN_API,
      description: 'x',
      activation: 'boot',
      capability: 'find_in_page',
      routes: Object.keys(routes),
      metrics: { shown: 'Pages shown' },
    },
    folder: 'contract',
    external: false,
    routes,
    routeErrors: { 'contract-broken': 418 },
    activate: ({ tab, frames, records }) => {
      frames.onReady(({ id }) => {
        pictures.push(tab.resource('i', `data:image/png;base64,${PICTURE}`, id));
        records.count('shown');
      });
    },
  };

  beforeAll(async () => {
    site = await serveSite((host) => `<!doctype html><title>${host}</title>`);
    const plugins = [...(await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] })), contract];
    policy = await policyOf('tenants: { default: {} }', plugins);
    started = await startWorker({
      plugins,
      policy,
      link: async () => {
        const ends = await tested.pair();
        cells.push(ends[1]);
        return ends;
      },
      onFault: (from, code) => told.push(`${from} ${code}`),
      onRecords: ({ counts }, person) =>
        told.push(...counts.map(({ plugin, name }) => `${person?.subject ?? 'nobody'} ${plugin} ${name}`)),
    });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const open = async (name: string, person: Person = ANNA): Promise<TestClient> => {
    const client = await browse(started.worker, site.url(name), person);
    await client.tellsOf('ready');
    return client;
  };
  /** Ends tabs without a client, which would end in the middle of later tests otherwise. */
  const unpaired = async (answers: readonly PairAnswer[]): Promise<void> => {
    for (const safe_rid of new Set(answers.map((answer) => answer.safe_rid ?? '')))
      await started.worker.unpair(ANNA, { safe_rid });
  };
  const get = (route: string, signal = new AbortController().signal, person = ANNA): Promise<RoutedAnswer> =>
    started.worker.request(person, { method: 'GET', path: `/r/contract/${route}`, query: {} }, { signal });

  it('pairs tabs of one session, one for each attempt, and finds them again', async () => {
    const { worker } = started;
    const asked = ['a', 'b', 'a', 'b', 'c'].map((attempt) =>
      worker.pair(ANNA, pairRequest(site.url('pair.test'), { attempt })),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ tab_id }) => tab_id)).size).toBe(3);
    expect(new Set(answers.map(({ cid }) => cid)).size).toBe(1);
    const [first, , again] = answers;
    expect(again).toEqual(first);
    const { cid = '', safe_rid = '', tab_id = '' } = first ?? {};
    const request = { ...pairRequest(site.url('pair.test')), safe_rid, tab_id };
    expect(await worker.repair(ANNA, cid, request)).toEqual(first);
    expect(await codeOf(worker.repair(ANNA, 'other', request))).toBe('session-not-found');
    expect(await codeOf(worker.repair(BEN, cid, request))).toBe('session-not-found');
    await unpaired(answers);
  });

  it('[S-038] lets a shell be reloaded, unless that would send a form again', async () => {
    const { worker } = started;
    const allowed = async (changes: Parameters<typeof pairRequest>[1]): Promise<unknown> => {
      const answer = await worker.pair(ANNA, pairRequest(site.url('pair.test'), changes));
      await unpaired([answer]);
      return answer.reload_allowed;
    };
    expect(await allowed({ reload_allowed: true })).toBe(true);
    expect(await allowed({ reload_allowed: false })).toBe(false);
    const post = { is_post: true, body: 'a=1', content_type: 'application/x-www-form-urlencoded' };
    expect(await allowed({ reload_allowed: true, ...post })).toBe(false);
  });

  it('carries a channel in order, in both directions', async () => {
    const client = await open('channel.test');
    const asked = Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(at * 1000)}`);
    const order: string[] = [];
    await Promise.all(asked.map(async (text) => order.push((await client.ask(text)).split(' ')[0] ?? '')));
    expect(order).toEqual(asked.map((_, at) => String(at)));
  });

  it('attaches to what exists alone, and refuses numbers that were never sent', async () => {
    const { worker } = started;
    const { answer } = await open('attach.test');
    const none: TransportEnd = { send: () => Promise.resolve(), close: () => undefined };
    expect(await worker.attach(ANNA, { ...namesOf(answer, 'x'), tabId: 'other' }, none)).toBeUndefined();
    expect(await worker.attach(BEN, namesOf(answer, 'x'), none)).toBeUndefined();
    expect(await codeOf(worker.attach(ANNA, namesOf(answer, 'x', 7), none))).toBe('bad-sequence');
  });

  it('lets the last of several transports have a tab, and closes each other with the reason', async () => {
    const { worker } = started;
    const first = await open('two.test');
    const { answer } = first;
    const clients = ['second', 'third', 'fourth'].map((chid) => ({ chid, own: new TestClient(worker, ANNA, answer) }));
    expect(await Promise.all(clients.map(({ chid, own }) => own.attach(chid)))).toEqual([true, true, true]);
    const [second, third, fourth] = clients.map(({ own }) => own);
    const replaced = () => [first, second, third].map((client) => client?.closed);
    await expect.poll(replaced).toEqual(['replaced', 'replaced', 'replaced']);
    expect(fourth?.closed).toBeUndefined();
    expect(await fourth?.ask('hi')).toContain('hi in');
    fourth?.detach();
    await fourth?.attach('fourth');
    expect(await fourth?.ask('again')).toContain('again in');
  });

  it('takes posted bodies in the order of their numbers, each once', async () => {
    const { worker } = started;
    const { answer } = await open('posts.test');
    const frame = new Uint8Array(4); // without any piece
    const post = (number: number, chid = 'first', person = ANNA): Promise<string> =>
      codeOf(worker.receiveBodies(person, { ...namesOf(answer, chid), number }, frame));
    expect([await post(1), await post(1), await post(3), await post(2)]).toEqual([
      'resolved',
      'resolved',
      'bad-sequence',
      'resolved',
    ]);
    expect(await post(3, 'other')).toBe('session-not-found');
    expect(await post(3, 'first', BEN)).toBe('session-not-found');
    const { cid, tabId } = namesOf(answer, '');
    const bad = worker.receiveBodies(ANNA, { cid, tabId, chid: 'first', number: 3 }, new Uint8Array(3));
    expect(await codeOf(bad)).toBe('bad-frame');
  });

  it('serves resources to their person, many at a time, and goes on after as many that do not exist', async () => {
    const { worker } = started;
    pictures.splice(0);
    await open('picture.test');
    const [, , kind = '', token = ''] = (await expect.poll(() => pictures[0]).toBeDefined(), pictures[0] ?? '').split(
      '/',
    );
    const fetch = async (): Promise<string> =>
      (await bytesOf(await worker.resource(ANNA, kind, token))).toString('base64');
    expect(await Promise.all(Array.from({ length: 100 }, fetch))).toEqual(Array.from({ length: 100 }, () => PICTURE));
    // More than there is room for, were any of it kept.
    for (let turn = 0; turn < 5; turn++) {
      const missing = Array.from({ length: 100 }, () => codeOf(worker.resource(ANNA, kind, `${token}x`)));
      expect(new Set(await Promise.all(missing))).toEqual(new Set(['resource-not-found']));
    }
    expect(await fetch()).toBe(PICTURE);
    expect(await codeOf(worker.resource(BEN, kind, token))).toBe('resource-not-found');
  });

  it('passes requests to routes, with bodies both ways, and their errors', async () => {
    await open('route.test');
    const part = Buffer.from('0123456789'.repeat(7000));
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 30; at++) yield part;
    }
    const request = { method: 'POST', path: '/r/contract/echo', query: {} } as const;
    const echo = () => started.worker.request(ANNA, request, { signal: new AbortController().signal, body: parts() });
    const whole = Buffer.concat(Array.from({ length: 30 }, () => part));
    const answers = await Promise.all([echo(), echo(), echo()]);
    expect(answers[0]).toMatchObject({ status: 201, type: 'application/octet-stream' });
    for (const bytes of await Promise.all(answers.map(bytesOf))) expect(bytes.equals(whole)).toBe(true);
    expect(await get('fails')).toMatchObject({ code: 'contract-broken', status: 418 });
    expect(await codeOf(get('endless', undefined, BEN))).toBe('session-not-found');
  });

  it('ends a request on both sides when it is aborted, before its answer and within', async () => {
    await open('abort.test');
    const [before, came] = [left, hanging];
    const early = new AbortController();
    const asked = codeOf(get('hangs', early.signal));
    await expect.poll(() => hanging).toBe(came + 1);
    early.abort();
    expect(await asked).toBe('link-aborted');
    const late = new AbortController();
    const reading = codeOf(get('endless', late.signal).then(bytesOf));
    await expect.poll(() => cells.at(-1)?.load.sentBytes).toBeGreaterThan(100_000);
    late.abort();
    expect(await reading).toBe('link-aborted');
    await expect.poll(() => left).toBe(before + 2);
  });

  it('asks the gateway what the policy says, again when it changes', async () => {
    const client = await open('policy.test');
    expect(client.answer.plugins).toMatchObject([{ id: 'echo' }, { id: 'contract' }]);
    const withdrawn = { tenants: { default: { policy: { capabilities: { find_in_page: false } } } } };
    policy.replace(parsed(JSON.stringify(withdrawn), 'test'));
    await client.hears('plugin-withdrawn', ({ id }) => id === 'contract');
    const { answer } = await open('policy.test');
    expect(answer.plugins?.map(({ id }) => id)).toEqual(['echo']);
    policy.replace(parsed('{ "tenants": { "default": {} } }', 'test'));
    // The cell has asked for it once the next tab has the plugin again.
    const granted = async (): Promise<string[] | undefined> =>
      (await open('policy.test')).answer.plugins?.map(({ id }) => id);
    await expect.poll(granted).toEqual(['echo', 'contract']);
  });

  it('tells the gateway of faults and of what plugins record, and counts before it answers', async () => {
    const { worker } = started;
    told.splice(0);
    const { tabs } = worker.counts();
    const { answer } = await open('events.test', BEN);
    expect(worker.counts()).toMatchObject({ tabs: tabs + 1 });
    await expect.poll(() => told).toContain('ben contract shown');
    const transport: TransportEnd = { send: () => Promise.resolve(), close: () => undefined };
    (await worker.attach(BEN, namesOf(answer, 'hostile'), transport))?.receive(jsonBody(['nonsense']));
    await expect.poll(() => told.filter((line) => line.startsWith('client '))).not.toEqual([]);
  });

  it('unpairs a tab, whose transport, routes and resources end with it', async () => {
    const { worker } = started;
    pictures.splice(0);
    const client = await open('unpair.test');
    await expect.poll(() => pictures[0]).toBeDefined();
    const [, , kind = '', token = ''] = (pictures[0] ?? '').split('/');
    const { safe_rid = '' } = client.answer;
    expect(await codeOf(worker.unpair(BEN, { safe_rid }))).toBe('session-not-found');
    const { tabs } = worker.counts();
    await Promise.all([worker.unpair(ANNA, { safe_rid }), worker.unpair(ANNA, { safe_rid })]);
    await client.hears('disconnect');
    await expect.poll(() => client.closed).toBe('unpaired');
    expect(worker.counts()).toMatchObject({ tabs: tabs - 1 });
    expect(await codeOf(worker.resource(ANNA, kind, token))).toBe('resource-not-found');
  });

  it('ends all that is under way with a cell, and gives its person another', async () => {
    const carl = { ...ANNA, subject: 'carl' };
    const client = await open('end.test', carl);
    const reading = codeOf(get('endless', undefined, carl).then(bytesOf));
    const asked = codeOf(get('hangs', undefined, carl));
    await expect.poll(() => cells.at(-1)?.load.sentBytes).toBeGreaterThan(100_000);
    const before = cells.length;
    cells.at(-1)?.close('lost');
    expect([await reading, await asked]).toEqual(['link-closed', 'link-closed']);
    await expect.poll(() => client.closed).toBe('link-closed');
    expect(await codeOf(get('hangs', undefined, carl))).toBe('session-not-found');
    const next = await open('end.test', carl);
    expect(cells).toHaveLength(before + 1);
    expect(next.answer.cid).not.toBe(client.answer.cid);
  });

  it('drains: clients are told to come again, and nothing begins any more', async () => {
    const { worker } = started;
    const client = await open('drain.test');
    await worker.drain('going down');
    expect(await client.hears('disconnect')).toEqual({ reason: 'going down', reconnect: true });
    expect(await worker.ready()).toBe(false);
    expect(await worker.pair(ANNA, pairRequest(site.url('drain.test')))).toEqual({ error: 'pairing_retry' });
    expect(worker.counts()).toMatchObject({ sessions: 0, tabs: 0, surrogates: 0, cells: 0 });
    const permuted = tested.permuted();
    if (permuted !== undefined) expect(permuted).toBeGreaterThan(100);
  });
});
