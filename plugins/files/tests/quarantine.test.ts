import { existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testAccess } from '../../../core/testing/host-access.ts';
import { testRecords } from '../../../core/testing/records.ts';
import { testService } from '../../../core/testing/service.ts';
import type { DeskFile, RouteContext, RouteRequest, SessionTab } from '../../../host/plugin.ts';
import { Desk, ownFilesToken } from '../host/desk.ts';
import { routes } from '../host/routes.ts';
import { activateService } from '../host/service.ts';
import { FileStore } from '../host/store/file-store.ts';
import { verbs } from '../host/verbs.ts';
import { manifest } from '../manifest.ts';

const MIB = 1024 * 1024;
const BYTES = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200_000, 7)]);
const RULE = { action: 'quarantine', types: ['executables'], message: 'Ask us', origin: 'tenant t: rules[0]' };

let folder: string;
let service: ReturnType<typeof testService> | undefined;
let counts: ReadonlyMap<string, number>;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-quarantine-'));
  await start();
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const records = testRecords();
  const access = testAccess(manifest, { scanner: [] });
  counts = access.recorded.counts;
  service = testService(manifest, { ...access, log: records.log, onFault: records.onFault, storage: folder });
  await activateService(service.scope);
}
/** Ends the service half as the end of its host does. */
async function stop(): Promise<void> {
  const close = vi.spyOn(FileStore.prototype, 'close');
  service?.dispose();
  service = undefined;
  await Promise.all(close.mock.results.map(({ value }) => value as Promise<void>));
  close.mockRestore();
}

async function judged(
  desk: Desk,
  bytes = BYTES,
  { days = 30, rules = [RULE] as readonly object[] } = {},
): Promise<DeskFile> {
  const policy = { scan: 'if_there', scan_failure: 'block', encrypted: 'ask', quarantine_days: days, rules };
  const tab = { policy: () => ({ transfers: policy }) } as unknown as SessionTab; // all that is used of it
  const addresses = ['https://page.example/a', 'https://cdn.example/f'];
  const file = await desk.begin({ name: 'set\tup.exe', keepMinutes: 5, tab, addresses });
  await file.receive(chunks(bytes), { maxBytes: 10 * MIB });
  await file.complete();
  await file.judge();
  return file;
}
async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
const desk = (session = 's1'): Desk => new Desk(service!.clientOf(session));

function ask(own: Desk, route: string, request: object): Promise<{ readonly body: unknown }> {
  const context = { services: { get: (token: unknown) => token === ownFilesToken && own } };
  const whole = {
    body: chunks(Buffer.alloc(0)),
    query: {},
    rest: '',
    signal: new AbortController().signal,
    ...request,
  };
  return routes[route]!(whole as unknown as RouteRequest, context as unknown as RouteContext) as Promise<{
    body: unknown;
  }>;
}
async function statusOf(own: Desk, { key }: DeskFile): Promise<Record<string, unknown>> {
  const { body } = await ask(own, 'GET /safeview-fileserv/tc_status', { query: { rid: key } });
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as Record<string, unknown>;
}
async function served(own: Desk, { key }: DeskFile): Promise<Buffer> {
  const { body } = await ask(own, 'GET /safeview-fileserv/tc_download/*', { rest: key });
  const parts: Uint8Array[] = [];
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}
async function run(verb: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const none = async function* (): AsyncGenerator<never> {};
  await verbs[verb]!.run({ args, print: (line) => lines.push(line), events: none, storage: () => folder });
  return lines;
}
const onlyId = async (): Promise<string> => (await run('list'))[0]!.split('\t')[0]!;

describe('a file that a rule puts into quarantine', () => {
  it('is served to nobody, and is listed with all that administrators ask', async () => {
    const own = desk();
    const file = await judged(own);
    expect(file.state).toMatchObject({ is: 'quarantined', reason: 'rule', rule: RULE.origin, message: 'Ask us' });
    expect(await statusOf(own, file)).toMatchObject({
      action: 'block',
      block_reasons: ['rule', 'quarantined'],
      block_details: { message: 'Ask us', rule: RULE.origin },
      plugins: [{ plugin: 'rules', status: 'FINISHED', result: 'quarantine', rule: RULE.origin }],
    });
    await expect(served(own, file)).rejects.toMatchObject({ code: 'file-blocked' });
    // A cell that has been taken over asks the store itself.
    await expect(own.read(file.key, 0, 10, new AbortController().signal)).rejects.toMatchObject({
      code: 'file-quarantined',
    });
    await file.end({ is: 'canceled' }); // the row is removed
    own.dispose();
    const [line = '', ...more] = await run('list');
    expect(more).toEqual([]);
    const [id, state, end, size, way, person, type, why, name, addresses] = line.split('\t');
    expect([id, state, size, way, person]).toEqual([
      expect.stringMatching(/^[\da-f]{32}$/),
      'kept',
      '200002',
      'down',
      'person',
    ]);
    expect(Date.parse(end!) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect([type, why, name]).toEqual([
      'application/x-msdownload',
      `rule; there is no scanner; ${RULE.origin}`,
      'setup.exe',
    ]);
    expect(addresses).toBe('https://page.example/a https://cdn.example/f');
    expect(counts.get('quarantined')).toBe(1);
  });

  it('stands on disk encrypted, and its key for the host alone', async () => {
    await judged(desk());
    for (const name of await readdir(folder)) {
      expect(readFileSync(path.join(folder, name)).includes(BYTES.subarray(100, 200)), name).toBe(false);
      expect(statSync(path.join(folder, name)).mode & 0o077, name).toBe(0);
    }
    expect(statSync(path.join(folder, 'quarantine.key')).size).toBe(32);
  });

  it('is its person’s again once it is released, while the session lives', async () => {
    const own = desk();
    const file = await judged(own);
    const id = await onlyId();
    expect(await run('release', id)).toEqual([expect.stringContaining('is released')]);
    expect((await served(own, file)).equals(BYTES)).toBe(true); // by the link that was kept
    expect(await statusOf(own, file)).toMatchObject({ action: 'allow', scanned: false });
    await expect(served(desk('s2'), file)).rejects.toMatchObject({ code: 'file-unknown' });
    expect((await run('list'))[0]).toContain(`${id}\treleased\t`);
  });

  it('is gone once it is deleted, which the person reads', async () => {
    const own = desk();
    const file = await judged(own);
    const id = await onlyId();
    await run('delete', id);
    expect(await run('list')).toEqual([]);
    expect(await readdir(folder)).toEqual(['quarantine.key']);
    expect(await statusOf(own, file)).toMatchObject({ action: 'expired' });
    await expect(run('delete', id)).rejects.toMatchObject({ code: 'file-unknown' });
  });

  it('survives restarts, and is written to a file for the administrator, with a host and without one', async () => {
    await judged(desk());
    await stop();
    await start();
    const id = await onlyId();
    const file = path.join(folder, '..', `${path.basename(folder)}.out`);
    try {
      expect(await run('release', id, '--to', file)).toEqual([expect.stringContaining('200002 bytes of setup.exe')]);
      expect(readFileSync(file).equals(BYTES)).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await expect(run('release', '--to', file, id)).rejects.toMatchObject({ code: 'not-written' }); // it is there already
      await rm(file);
      await stop();
      await run('release', '--to', file, id);
      expect(readFileSync(file).equals(BYTES)).toBe(true);
    } finally {
      await rm(file, { force: true });
    }
    const [released] = await Promise.allSettled([run('release', id)]);
    expect(released).toMatchObject({ status: 'rejected', reason: { code: 'no-host' } });
    await run('delete', id);
    expect(await readdir(folder)).toEqual(['quarantine.key']);
  });
});

describe('the quarantine', () => {
  it('keeps nothing where the policy says so, nor past its bounds', async () => {
    const own = desk();
    const off = await judged(own, BYTES, { days: 0 });
    expect(off.state).toMatchObject({ is: 'blocked', reason: 'rule', message: 'Ask us' });
    for (let at = 0; at < 100; at++) expect((await judged(own)).state.is).toBe('quarantined');
    const file = await judged(own);
    expect(file.state).toMatchObject({ is: 'blocked', reason: 'rule' });
    await expect(served(own, file)).rejects.toMatchObject({ code: 'file-blocked' });
    expect(await run('list')).toHaveLength(100);
  });

  it('deletes a file that it cannot keep, such as on a full disk, and gives it to nobody', async () => {
    const own = desk();
    const policy = { scan: 'off', scan_failure: 'block', encrypted: 'ask', quarantine_days: 1, rules: [RULE] };
    const tab = { policy: () => ({ transfers: policy }) } as unknown as SessionTab; // all that is used of it
    const file = await own.begin({ name: 'a.exe', keepMinutes: 5, tab, addresses: [] });
    await file.receive(chunks(BYTES), { maxBytes: MIB });
    await file.complete();
    const [id = ''] = (await readdir(folder)).filter((name) => /^[\da-f]{32}$/.test(name));
    writeFileSync(path.join(folder, `${id}.tmp`), ''); // its entry cannot be written
    await file.judge();
    expect(file.state).toMatchObject({ is: 'blocked', reason: 'rule', message: 'Ask us' });
    await expect(served(own, file)).rejects.toMatchObject({ code: 'file-blocked' });
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([]);
  });

  it.each([
    '',
    '..',
    '../quarantine',
    '/etc/passwd',
    'A'.repeat(32),
    `${'a'.repeat(32)}/x`,
    `${'a'.repeat(31)}\n`,
    '--x',
  ])('has no file of the id %j', async (id) => {
    for (const verb of ['release', 'delete'])
      await expect(run(verb, id), verb).rejects.toMatchObject({ code: 'bad-option' });
    await expect(run('release', id, '--to', path.join(folder, 'out'))).rejects.toMatchObject({ code: 'bad-option' });
    expect(existsSync(path.join(folder, 'out'))).toBe(false);
  });

  it('refuses arguments that are missing or too many', async () => {
    for (const [verb, ...args] of [
      ['list', 'x'],
      ['release'],
      ['release', 'a'.repeat(32), '--to'],
      ['release', 'a'.repeat(32), 'b'.repeat(32)],
      ['delete'],
      ['delete', 'a'.repeat(32), '--to', 'x'],
    ] as const)
      await expect(run(verb, ...args)).rejects.toMatchObject({ code: 'bad-option' });
    await expect(run('release', 'a'.repeat(32))).rejects.toMatchObject({ code: 'file-unknown' });
  });

  it('says what is damaged, writes none of it, and drops it at the next start', async () => {
    const own = desk();
    for (let at = 0; at < 3; at++) await judged(own);
    const [cut, changed, entry] = (await run('list')).map((line) => line.split('\t')[0]!) as [string, string, string];
    truncateSync(path.join(folder, cut), 70_000);
    const bytes = readFileSync(path.join(folder, changed));
    bytes[150_000]! ^= 1;
    writeFileSync(path.join(folder, changed), bytes);
    truncateSync(path.join(folder, `${entry}.quarantine`), 40);
    symlinkSync('/etc/passwd', path.join(folder, `${'c'.repeat(32)}.quarantine`));
    expect((await run('list')).map((line) => line.split('\t')[1])).toEqual(['damaged', 'damaged', 'kept', 'kept']);
    const out = path.join(folder, 'out');
    for (const id of [cut, changed, entry])
      await expect(run('release', id, '--to', out)).rejects.toMatchObject({ code: 'file-damaged' });
    expect(existsSync(out)).toBe(false);
    await stop();
    await start();
    expect((await run('list')).map((line) => line.split('\t')[0])).toEqual([changed]); // whose length is right
  });

  it('makes a new key where it is damaged: what was kept by the old one is dropped', async () => {
    await judged(desk());
    await stop();
    truncateSync(path.join(folder, 'quarantine.key'), 10);
    await expect(run('release', await onlyId(), '--to', path.join(folder, 'out'))).rejects.toMatchObject({
      code: 'file-damaged',
    });
    await start();
    expect([await run('list'), statSync(path.join(folder, 'quarantine.key')).size]).toEqual([[], 32]);
    await judged(desk());
    expect(await run('list')).toHaveLength(1);
  });

  it('deals with no request about files that are not in it', async () => {
    const own = desk();
    const file = await judged(own, Buffer.from('text'), { rules: [] });
    expect(file.state.is).toBe('allowed');
    const [id = ''] = (await readdir(folder)).filter((name) => /^[\da-f]{32}$/.test(name));
    writeFileSync(path.join(folder, `${id}.delete`), '');
    await expect.poll(() => existsSync(path.join(folder, `${id}.delete`))).toBe(false);
    expect(String(await served(own, file))).toBe('text');
  });
});

describe('a file that rules block', () => {
  it('has no bytes any more, and says which rule and why', async () => {
    const own = desk();
    const file = await judged(own, BYTES, { rules: [RULE, { ...RULE, action: 'block', origin: 'user a: rules[0]' }] });
    expect(await statusOf(own, file)).toMatchObject({
      action: 'block',
      block_reasons: ['rule'],
      block_details: { message: 'Ask us', rule: 'user a: rules[0]' },
      plugins: [{ plugin: 'rules', result: 'block', rule: 'user a: rules[0]' }],
    });
    expect(await readdir(folder)).toEqual(['quarantine.key']);
  });

  it('is blocked while it grows, where its size decides', async () => {
    const own = desk();
    const rules = [{ action: 'block', over_megabytes: 1, message: 'Too much', origin: 'r[0]' }];
    await expect(judged(own, Buffer.alloc(2 * MIB), { rules })).rejects.toMatchObject({ code: 'file-blocked' });
    expect(await readdir(folder)).toEqual(['quarantine.key']);
    const tab = { policy: () => ({ transfers: { rules } }) } as unknown as SessionTab; // all that is used of it
    const limit = { bytes: MIB, rule: 'r[0]', message: 'Too much' };
    expect(own.limitOf({ name: 'a', tab, addresses: [] })).toEqual(limit);
    const file = await judged(own, Buffer.alloc(MIB), { rules });
    expect([file.state.is, file.limit]).toEqual(['allowed', limit]);
    const known = await own.begin({
      name: 'a',
      keepMinutes: 5,
      tab: { id: 'T', policy: () => ({ transfers: { rules, quarantine_days: 0 } }) as never },
      addresses: [],
    });
    await known.block(); // the site says that it is larger
    expect(await statusOf(own, known)).toMatchObject({ action: 'block', block_details: { message: 'Too much' } });
  });

  it('an allowed one names the rule as well', async () => {
    const own = desk();
    const file = await judged(own, BYTES, { rules: [{ action: 'allow', origin: 'r[0]' }] });
    expect(await statusOf(own, file)).toMatchObject({
      action: 'allow',
      plugins: [{ plugin: 'rules', result: 'allow', rule: 'r[0]' }],
    });
  });
});
