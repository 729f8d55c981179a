import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { nothing } from '../../../core/protocol/message.ts';
import { pairRequest } from '../../cell/tests/harness.ts';
import { keptCookies, MAX_KEPT_COOKIES_BYTES } from '../../base/kept-cookies.ts';
import type { Person } from '../../base/person.ts';
import { remotePictures } from '../../cell/gateway-services.ts';
import { MAX_RESOURCE_BYTES } from '../../resources/data-address.ts';
import { decodersHere, sharpHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import { serviceMethod } from '../../contracts/service-scope.ts';
import type { ActivateService } from '../../contracts/service-scope.ts';
import { CALL_SERVICE } from '../../plugins/service-protocol.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { createCells } from '../cells.ts';
import type { Worker } from '../cells.ts';
import type { Decoders } from '../decoders.ts';
import { serveGateway } from '../gateway-calls.ts';
import { KeptBodies } from '../kept-bodies.ts';
import { NOTICE_TO_CELL, NOTICE_TO_GATEWAY, readBody, TO_CELL, TO_GATEWAY } from '../protocol.ts';
import { createServices } from '../services.ts';
import { codeOf, serviceInProcess } from './service-starters.ts';

/** Cells, by their own ends of the link, in the order of their start, with the ports that each has been sent last. */
interface OwnEnd {
  readonly peer: LinkPeer;
  refused: readonly number[];
  notices: number;
}

/** A service whose answer has a body that never goes on. */
const IDLE = { id: 'idle', version: '1.0.0' };
const wait = serviceMethod('wait', { params: nothing, result: nothing });
const serveIdle: ActivateService = (scope) => {
  scope.handle(wait, ({ signal }) => ({
    value: undefined,
    body: (async function* () {
      yield new Uint8Array(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    })(),
  }));
};

let folder: string;
let worker: Worker;
let cells: OwnEnd[];
let decoders: Decoders;
/** Fields of every answer to a pair request. */
let answered: object;
beforeEach(async () => {
  answered = {};
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-hostile-cell-'));
  cells = [];
  decoders = decodersHere({ idleMs: 600_000 });
  worker = createCells({
    start: async () => {
      const [peer, own] = linkPair();
      const exit = Promise.withResolvers<{ code: number; signal: null }>();
      const cell: OwnEnd = { peer: own, refused: [], notices: 0 };
      own.handle(TO_CELL.begin, () => ({}));
      own.handle(TO_CELL.pair, () => ({ value: { version: 'ok', ...answered } }));
      own.handle(TO_CELL.close, () => ({}));
      own.on(NOTICE_TO_CELL.ports, (params) => {
        cell.refused = (params as { ports: number[] }).ports; // of this test
        cell.notices += 1;
      });
      cells.push(cell);
      return {
        peer,
        exited: exit.promise,
        setUp: async () => undefined,
        kill: async () => exit.resolve({ code: 0, signal: null }),
      };
    },
    policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log: silent }),
    fonts: new MachineFonts(path.join(folder, 'fonts'), decoders.cutFont, silent),
    cookies: keptCookies(folder),
    decoders,
    services: createServices({
      starters: new Map([['idle', serviceInProcess(IDLE, serveIdle, silent)]]),
      plugins: [{ manifest: { ...IDLE, api: 1, description: 'x', activation: 'boot' } }],
      onFault: () => undefined,
      onRecords: () => undefined,
      log: silent,
    }),
    ownPorts: [7000],
    goneMs: 120_000,
    keepMs: 1000,
    poolSize: 0,
    maxCells: 6,
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });
});
afterEach(async () => {
  await worker.drain('test over');
  await decoders.close();
  await rm(folder, { recursive: true, force: true });
});

/** Pairs a person; their cell. */
async function cellOf(subject: string): Promise<OwnEnd> {
  const person: Person = { subject, tenant: 'default', groups: [], origin: 'http://203.0.113.1' };
  await worker.pair(person, pairRequest('https://site.test/'));
  return cells.at(-1) ?? expect.unreachable('no cell was started');
}

const ports = (first: number, count: number): { ports: number[] } => ({
  ports: Array.from({ length: count }, (_, at) => first + at),
});

it('does not lead a person elsewhere, or load code from elsewhere', async () => {
  const pair = async (answer: object): Promise<unknown> => {
    answered = answer;
    const person: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://203.0.113.1' };
    return worker.pair(person, pairRequest('https://site.test/')).catch((thrown: unknown) => toAppError(thrown).code);
  };
  const leading = {
    direct_access: 'https://evil.example/',
    redirect_url: 'https://evil.example/',
    login_url: 'https://evil.example/',
    posture_url: 'https://evil.example/',
    s_nid: 'x',
    retry_nid: 'x',
  };
  expect(await pair({ cid: 'c1', ...leading })).toEqual({ version: 'ok', cid: 'c1' });
  const grant = { id: 'p', version: '1', variant: 'v', base: 1, count: 1 };
  const own = { ...grant, module: '/safeview-static/plugins/p/index-1a2b.js' };
  expect(await pair({ plugins: [own] })).toEqual({ version: 'ok', plugins: [own] });
  for (const module of [
    'https://evil.example/index-1.js',
    '//evil.example/index-1.js',
    '/safeview-static/plugins/../../c/i/index-1.js',
    '/c/i/token',
  ])
    expect(await pair({ plugins: [{ ...grant, module }] })).toBe('bad-message');
});

it('a cell that reports more ports than it may have is ended, and changes nothing of what others refuse', async () => {
  const honest = await cellOf('anna');
  honest.peer.notify(NOTICE_TO_GATEWAY.ports, ports(20_000, 2));
  const hostile = await cellOf('ben');
  const victim = await cellOf('carl');
  await expect.poll(() => victim.refused.toSorted()).toEqual([20_000, 20_001, 7000]);
  hostile.peer.notify(NOTICE_TO_GATEWAY.ports, ports(1, 17));
  await expect.poll(() => hostile.peer.closed.aborted).toBe(true);
  expect(victim.refused.toSorted()).toEqual([20_000, 20_001, 7000]);
  expect((await cellOf('dora')).refused.toSorted()).toEqual([20_000, 20_001, 7000]);
});

it('a flood of changed ports reaches the other cells as few notices', async () => {
  const victim = await cellOf('anna');
  const hostile = await cellOf('ben');
  const before = victim.notices;
  for (let round = 0; round < 2000; round += 1) hostile.peer.notify(NOTICE_TO_GATEWAY.ports, ports(1000 + round, 1));
  await expect.poll(() => victim.refused).toContain(2999);
  expect(victim.notices - before).toBeLessThan(200);
});

it('cookies are bytes that the gateway does not read, within a bound, and one write at a time', async () => {
  const { peer } = await cellOf('anna');
  const keep = (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown> =>
    peer.call(TO_GATEWAY.keepCookies, null, { body });
  await keep(Buffer.from('not JSON'));
  const { body } = await peer.call(TO_GATEWAY.findCookies, null);
  expect(String(await readBody(body, 100))).toBe('not JSON');
  await expect(keep(Buffer.alloc(MAX_KEPT_COOKIES_BYTES + 1))).rejects.toMatchObject({ code: 'link-too-large' });

  const end = Promise.withResolvers<undefined>();
  const first = keep(
    (async function* () {
      yield Buffer.from('[]');
      await end.promise;
    })(),
  );
  const others = await Promise.all(
    Array.from({ length: 20 }, () =>
      keep(Buffer.from('[]')).then(
        () => 'kept',
        (thrown: unknown) => toAppError(thrown).code,
      ),
    ),
  );
  expect(new Set(others)).toEqual(new Set(['cookies-busy']));
  end.resolve(undefined);
  await first;
  await keep(Buffer.from('[1]'));
});

it('a cell without a person has no decoder', async () => {
  const [peer, own] = linkPair();
  const policy = await createPolicyEngine({ settings: coreSettings, capabilities: [], log: silent });
  const fonts = new MachineFonts(path.join(folder, 'fonts'), decoders.cutFont, silent);
  const services = createServices({
    starters: new Map(),
    plugins: [],
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });
  const listener = { onFault: () => undefined, onRecords: () => undefined, log: silent };
  const stores = { fonts, services, decoders, cookies: keptCookies(folder) };
  serveGateway(peer, stores, { person: () => undefined, policy, kept: new KeptBodies(), ...listener });
  const converted = remotePictures(own)(Buffer.from('x'), { format: 'webp', quality: 80, maxSide: 3 });
  await expect(converted).rejects.toMatchObject({ code: 'cell-unused' });
  expect(decoders.running).toBe(0);
  own.close('test over');
});

it('pictures are converted by a decoder of the person, which ends with the cell', async () => {
  const [anna, ben] = [await cellOf('anna'), await cellOf('ben')];
  expect(decoders.running).toBe(0);
  const file = await sharpHere()({ create: { width: 6, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const form = { format: 'webp', quality: 80, maxSide: 3 } as const;
  const convert = remotePictures(anna.peer);
  const { natural, bytes } = await convert(file, form);
  expect(natural).toEqual({ width: 6, height: 4 });
  expect(await sharpHere()(bytes).metadata()).toMatchObject({ format: 'webp', width: 3, height: 2 });
  expect(decoders.running).toBe(1);
  await remotePictures(ben.peer)(file, form);
  expect(decoders.running).toBe(2);
  await expect(convert(Buffer.from('<svg/>'), form)).rejects.toMatchObject({ code: 'resource-type' });
  await expect(convert(Buffer.alloc(MAX_RESOURCE_BYTES + 1), form)).rejects.toMatchObject({
    code: 'resource-too-large',
  });
  await expect(convert(file, { ...form, maxSide: 0.5 })).rejects.toMatchObject({ code: 'bad-message' });
  expect(decoders.running).toBe(2);
  anna.peer.close('leaves');
  await expect.poll(() => decoders.running).toBe(1);
});

it('a body that the gateway keeps for a route ends with the request, also one that is idle', async () => {
  const { peer } = await cellOf('anna');
  await peer.call(TO_GATEWAY.grant, { url: 'https://site.test/', userAgent: 'x' });
  const asked = { service: IDLE.id, method: wait.name, deadlineMs: 10_000, keepsBody: true };
  const ask = async (): Promise<string> => ((await peer.call(CALL_SERVICE, asked)).value as { kept: string }).kept; // of this service
  peer.handle(TO_CELL.request, async () => ({
    value: { status: 200, type: 'application/octet-stream', size: 2, kept: await ask() },
  }));
  const person: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://203.0.113.1' };
  // More than a person may have under way.
  for (let at = 0; at < 40; at += 1) {
    const gone = new AbortController();
    const answer = await worker.request(person, { method: 'GET', path: '/x', query: {} }, { signal: gone.signal });
    if (!('type' in answer) || !answer.body) return expect.unreachable('it has no body');
    const reading = codeOf(readBody(answer.body, 10));
    gone.abort(new AppError('request-closed', 'The browser has closed the request.'));
    expect(await reading).not.toBe('none');
  }
});
