import { buffer } from 'node:stream/consumers';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testAccess } from '../../../core/testing/host-access.ts';
import { testRecords } from '../../../core/testing/records.ts';
import { testService } from '../../../core/testing/service.ts';
import type { DeskFile, RouteAnswer, RouteContext, RouteRequest, SessionTab } from '../../../host/plugin.ts';
import { Desk, ownFilesToken } from '../host/desk.ts';
import { routes } from '../host/routes.ts';
import { activateService } from '../host/service.ts';
import { manifest } from '../manifest.ts';
import { encryptedZip } from './judge/samples.ts';

const MIB = 1024 * 1024;
const PAGE = ['https://page.example/'];
type Transfers = Readonly<Record<string, unknown>>;

let folder: string;
let service: ReturnType<typeof testService>;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-desk-'));
  await started([]);
});
afterEach(async () => {
  vi.useRealTimers();
  service.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the service half, with scanners. */
async function started(scanner: readonly string[]): Promise<void> {
  const records = testRecords();
  const access = testAccess(manifest, { scanner });
  service = testService(manifest, { ...access, log: records.log, onFault: records.onFault, storage: folder });
  await activateService(service.scope);
}

const tab = (transfers: Transfers = {}): SessionTab =>
  ({
    policy: () => ({
      transfers: {
        scan: 'if_there',
        scan_failure: 'block',
        encrypted: 'ask',
        quarantine_days: 0,
        rules: [],
        ...transfers,
      },
    }),
  }) as unknown as SessionTab; // all that is used of it

/** Files of people in the folder. */
const left = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name !== 'quarantine.key');

async function* inChunks(...chunks: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function stored(desk: Desk, bytes: string | Buffer, transfers?: Transfers): Promise<DeskFile> {
  const file = await desk.begin({ name: '../a?.txt', keepMinutes: 5, addresses: PAGE, tab: tab(transfers) });
  await file.receive(inChunks(bytes), { maxBytes: MIB });
  await file.complete();
  return file;
}

async function ask(desk: Desk, route: string, request: Partial<RouteRequest> = {}): Promise<RouteAnswer> {
  const context = { services: { get: (token: unknown) => token === ownFilesToken && desk } };
  const whole = { body: inChunks(), query: {}, rest: '', signal: new AbortController().signal, ...request };
  return routes[route]!(whole as RouteRequest, context as unknown as RouteContext); // all that is used of them
}
const statusOf = async (desk: Desk, key: string): Promise<Record<string, unknown>> => {
  const body = inChunks(JSON.stringify({ file_id: key }));
  const answer = await ask(desk, 'POST /safeview-fileserv/tc_status', { body });
  return JSON.parse(Buffer.from(answer.body as Uint8Array).toString()) as Record<string, unknown>;
};
const served = async ({ body }: RouteAnswer): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body instanceof Uint8Array ? [body] : body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const download = (desk: Desk, key: string, request: Partial<RouteRequest> = {}): Promise<RouteAnswer> =>
  ask(desk, 'GET /safeview-fileserv/tc_download/*', { rest: `${key}/any name`, ...request });

describe('[M-017] [M-067] [M-070] [S-117] a file of the desk', () => {
  it('is pending while it grows and is judged, then served under a safe name', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await desk.begin({ name: 'a/b\u202e.txt', keepMinutes: 5, addresses: PAGE, tab: tab() });
    expect(file.name).toBe('b.txt');
    const reply = { file_id: file.key, is_arch_subfile: false, plugins: [], block_reasons: [], block_details: {} };
    expect(await statusOf(desk, file.key)).toEqual({ ...reply, action: 'pending', file_size: 0 });
    await expect(download(desk, file.key)).rejects.toMatchObject({ code: 'file-not-ready' });
    await file.receive(inChunks('hello ', 'world'), { maxBytes: MIB });
    await file.complete();
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'pending', file_size: 11 });
    const findings = await file.judge();
    expect(findings).toMatchObject({ verdict: 'not-scanned', scanners: 0, type: { mime: 'text/plain' } });
    const url = `/safeview-fileserv/tc_download/${file.key}/`;
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'allow', scanned: false, plugins: [], url });
    const asGet = await ask(desk, 'GET /safeview-fileserv/tc_status', { query: { rid: file.key, cid: 'c' } });
    expect(JSON.parse(Buffer.from(asGet.body as Uint8Array).toString())).toMatchObject({ action: 'allow' });
    const begun = { body: inChunks(JSON.stringify({ file_id: file.key })) };
    const { body } = await ask(desk, 'POST /safeview-fileserv/tc_processing', begun);
    expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toMatchObject({ action: 'allow', url });

    const whole = await download(desk, file.key);
    expect(whole).toMatchObject({ type: 'application/octet-stream', filename: 'b.txt', size: 11, tag: file.sha256 });
    expect(await served(whole)).toBe('hello world');
  });

  it('says while it is judged which checks are finished', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await stored(desk, 'text');
    const checks = [
      { plugin: 'archive', status: 'FINISHED', result: 'clean' },
      { plugin: 'clamd', status: 'PENDING' },
    ];
    Reflect.set(file, 'state', { is: 'checking', checks }); // as while a scanner takes its time
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'pending', file_size: 4, plugins: checks });
    Reflect.set(file, 'state', { is: 'failed', reason: 'file-expired' }); // the store has let go of it meanwhile
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'expired', error: 'file-expired' });
  });

  it('is over for its owner once the store has it no longer', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await stored(desk, 'hello world');
    await file.judge();
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'allow' });
    desk.dispose();
    await expect.poll(left).toEqual([]);
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'expired' });
    await expect(download(desk, file.key)).rejects.toMatchObject({ code: 'file-unknown' });
  });

  it('is removed with many others, a few at a time', async () => {
    const client = service.clientOf('s1');
    let [running, most] = [0, 0];
    const call: typeof client.call = async (...given) => {
      if (given[0].name !== 'remove') return client.call(...given);
      most = Math.max(most, (running += 1));
      try {
        return await client.call(...given);
      } finally {
        running -= 1;
      }
    };
    const desk = new Desk({ ...client, call });
    const files = await Promise.all(Array.from({ length: 60 }, (_, at) => stored(desk, `file ${at}`)));
    await Promise.all(files.map((file) => file.end({ is: 'canceled' })));
    expect(most).toBeLessThan(8);
    await expect.poll(left).toEqual([]);
  });

  it('is served in parts', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await stored(desk, 'hello world');
    await file.judge();
    const part = async (range: string, ifRange?: string) => {
      const answer = await download(desk, file.key, { range, ifRange });
      return [answer.status ?? 200, answer.part?.first, answer.part?.last, await served(answer)];
    };
    expect(await part('bytes=0-4')).toEqual([206, 0, 4, 'hello']);
    expect(await part('bytes=6-')).toEqual([206, 6, 10, 'world']);
    expect(await part('bytes=-3')).toEqual([206, 8, 10, 'rld']);
    expect(await part('bytes=4-400')).toEqual([206, 4, 10, 'o world']);
    expect((await part('bytes=11-'))[0]).toBe(416);
    for (const odd of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
      expect(await part(odd), odd).toEqual([200, undefined, undefined, 'hello world']);
    expect((await part('bytes=0-4', `"${file.sha256}"`))[0]).toBe(206);
    expect((await part('bytes=0-4', '"another"'))[3]).toBe('hello world');
  });

  it('is nobody else’s: not that of another session, nor of another person', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await stored(desk, 'secret');
    await file.judge();
    const other = new Desk(service.clientOf('s2'));
    await expect(download(other, file.key)).rejects.toMatchObject({ code: 'file-unknown' });
    expect(await statusOf(other, file.key)).toMatchObject({ action: 'expired', error: 'file-unknown' });
    // A cell that has been taken over asks the service itself.
    for (const key of [file.key, 'A'.repeat(43)]) {
      const hostile = new Desk(service.clientOf('s2'));
      const begun = await stored(hostile, 'x');
      Reflect.set(begun, 'key', key);
      await expect(begun.judge()).rejects.toMatchObject({ code: 'file-unknown' });
    }
    desk.dispose();
    await expect.poll(left).toHaveLength(2); // those of the other session
  });

  it('goes with its session, whether that has ended in order or not, and no other one does', async () => {
    const desk = new Desk(service.clientOf('s1'));
    await stored(desk, 'mine');
    await desk.begin({ name: 'b', keepMinutes: 5, addresses: PAGE, tab: tab() });
    const other = await stored(new Desk(service.clientOf('s2')), 'other');
    service.endSession('s1');
    await expect.poll(left).toHaveLength(1);
    await other.judge();
    service.endSession('s2');
    await expect.poll(left).toEqual([]);
  });

  it('loses its bytes when it is blocked, has failed or is canceled, and says why', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const blocked = await stored(desk, 'text', { scan: 'required' });
    await blocked.judge();
    expect(await statusOf(desk, blocked.key)).toMatchObject({ action: 'block', block_reasons: ['no-scanner'] });
    await expect(download(desk, blocked.key)).rejects.toMatchObject({ code: 'file-blocked' });
    const failed = await stored(desk, 'text');
    await failed.end({ is: 'failed', reason: 'disk-full' });
    expect(await statusOf(desk, failed.key)).toMatchObject({ action: 'error', error: 'disk-full' });
    const canceled = await stored(desk, 'text');
    await canceled.judge();
    await canceled.end({ is: 'canceled' });
    await canceled.end({ is: 'failed', reason: 'too late' });
    expect(await statusOf(desk, canceled.key)).toMatchObject({ action: 'cancel' });
    expect(await left()).toEqual([]);
  });

  it('says which rule blocks it or keeps it, and the text of that rule', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const rule = { origin: 'tenant t: rules[0]', message: 'Ask us' };
    const details = { rule: 'tenant t: rules[0]', message: 'Ask us' };
    const blocked = await stored(desk, 'text', { rules: [{ ...rule, action: 'block' }] });
    await blocked.judge();
    const reply = await statusOf(desk, blocked.key);
    expect(reply).toMatchObject({ action: 'block', block_reasons: ['rule'], file_size: 4 });
    expect(reply['block_details']).toEqual(details);
    const kept = await stored(desk, 'text', { quarantine_days: 1, rules: [{ ...rule, action: 'quarantine' }] });
    await kept.judge();
    const waiting = await statusOf(desk, kept.key);
    expect(waiting).toMatchObject({ action: 'block', block_reasons: ['rule', 'quarantined'] });
    expect(waiting['block_details']).toEqual(details);
    const plain = await stored(desk, 'text', { rules: [{ action: 'block', origin: 'group g: rules[1]' }] });
    await plain.judge();
    expect((await statusOf(desk, plain.key))['block_details']).toEqual({ rule: 'group g: rules[1]' });
  });

  it('has a limit, whatever its source says', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await desk.begin({ name: 'a', keepMinutes: 5, addresses: PAGE, tab: tab() });
    await expect(file.receive(inChunks('1234', '5678'), { maxBytes: 7 })).rejects.toMatchObject({
      code: 'file-too-large',
    });
    expect(await left()).toEqual([]);
  });

  it('is locked while its password is missing or wrong, where a scanner wants to see the inside', async () => {
    service.dispose();
    await started(['clamd:127.0.0.1:9']); // nobody answers: it scans nothing
    const desk = new Desk(service.clientOf('s1'));
    const zip = await encryptedZip({ 'a.txt': Buffer.from('inside') }, { password: 'right' });
    const file = await stored(desk, zip, { scan_failure: 'allow' });
    await file.judge();
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'preq', attempt: 1 });
    await file.judge({ password: 'wrong' });
    expect(await statusOf(desk, file.key)).toMatchObject({ action: 'preq', attempt: 2 });
    await file.judge({ password: 'right' });
    expect(await statusOf(desk, file.key)).toMatchObject({
      action: 'allow',
      scanned: false,
      plugins: [
        { plugin: 'archive', status: 'FINISHED', result: 'clean' },
        { plugin: 'clamd', status: 'FAILED', result: 'not-scanned' }, // its address is for administrators
      ],
    });
    expect(await served(await download(desk, file.key))).toBe(zip.toString());
  });

  it('is one of fourteen that are received at a time: further ones wait', async () => {
    vi.useFakeTimers({ toFake: ['performance'] }); // no turn is due
    const desk = new Desk(service.clientOf('s1'));
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<undefined>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      most = Math.max(most, ++running);
      await gate.promise;
      yield Buffer.from('x');
      running -= 1;
    }
    const files = await Promise.all(
      Array.from({ length: 20 }, (_, at) => desk.begin({ name: `${at}`, keepMinutes: 5, addresses: PAGE, tab: tab() })),
    );
    const received = files.map((file) => file.receive(slow(), { maxBytes: MIB }));
    await expect.poll(() => running).toBe(14);
    gate.resolve(undefined);
    await Promise.all(received);
    expect([most, files.every(({ size }) => size === 1)]).toEqual([14, true]);
  });

  it.each(['another tab', 'their own tab'])('is received while slow ones take all turns: one of %s', async (whose) => {
    const desk = new Desk(service.clientOf('s1'));
    const page = tab();
    const begun = (name: string, of = page) => desk.begin({ name, keepMinutes: 5, addresses: PAGE, tab: of });
    const gate = Promise.withResolvers<undefined>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first ');
      await gate.promise;
      yield Buffer.from('last');
    }
    const slowOnes = await Promise.all(Array.from({ length: 20 }, (_, at) => begun(`${at}`)));
    const received = slowOnes.map((file) => file.receive(slow(), { maxBytes: MIB }));
    const other = await begun('other', whose === 'another tab' ? tab() : page);
    await other.receive(inChunks('whole'), { maxBytes: MIB });
    expect(other.size).toBe(5);
    gate.resolve(undefined);
    await Promise.all(received);
    for (const file of slowOnes) {
      await file.complete();
      expect((await buffer(await file.bytes(new AbortController().signal))).toString()).toBe('first last');
    }
  });

  it('is judged while those of another person, whom nothing answers, take all turns that they may have', async () => {
    const held = new Set<net.Socket>();
    const scanner = net.createServer((socket) => {
      held.add(socket);
      let received = '';
      socket.on('data', (data) => {
        received += data.toString('latin1');
        if (received.includes('slow') || !received.endsWith('\0\0\0\0')) return;
        socket.end(received.includes('EICAR') ? 'stream: Eicar FOUND\0' : 'stream: OK\0');
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve));
    try {
      service.dispose();
      await started([`clamd:127.0.0.1:${(scanner.address() as net.AddressInfo).port}`]);
      const desks = ['s1', 's2', 's3', 's4'].map((session) => new Desk(service.clientOf(session, 'one')));
      const over = new AbortController();
      const slow = await Promise.all(desks.flatMap((desk) => [stored(desk, 'slowly'), stored(desk, 'slowly')]));
      const judged = Promise.allSettled(slow.map((file) => file.judge({ signal: over.signal })));
      const own = await stored(new Desk(service.clientOf('s5', 'two')), 'text');
      expect(await own.judge()).toMatchObject({ verdict: 'clean' });
      expect(new Set(slow.map(({ state }) => state.is))).toEqual(new Set(['checking']));
      over.abort(new Error('over'));
      await judged;
    } finally {
      for (const socket of held) socket.destroy();
      scanner.close();
    }
  });

  it('a judgement ends with its signal', async () => {
    const desk = new Desk(service.clientOf('s1'));
    const file = await stored(desk, 'text');
    await expect(file.judge({ signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
    expect(file.state.is).toBe('checking');
  });
});

it.each([
  ['no JSON', '{'],
  ['no key', '{}'],
  ['a long key', JSON.stringify({ file_id: 'x'.repeat(200) })],
])('a call with %s is refused', async (_how, body) => {
  const desk = new Desk(service.clientOf('s1'));
  for (const route of ['POST /safeview-fileserv/tc_status', 'POST /safeview-fileserv/tc_processing'])
    await expect(ask(desk, route, { body: inChunks(body) })).rejects.toMatchObject({ code: 'bad-message' });
  const long = { body: inChunks(Buffer.alloc(100_000)) };
  await expect(ask(desk, 'POST /safeview-fileserv/tc_status', long)).rejects.toMatchObject({ code: 'body-too-large' });
});
