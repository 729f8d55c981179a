import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileStore } from '../host/store/file-store.ts';
import type { FileFacts, StoredFile } from '../host/store/contract.ts';

const CHUNK = 64 * 1024;
const MINUTE = 60_000;
const facts: FileFacts = { person: 'ann', session: 's1', direction: 'up', name: 'a.pdf' };
const masterKey = randomBytes(32);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

let folder: string;
let store: FileStore;
let logged: string[];
const line = (message: string): void => void logged.push(message);
const log = { debug: line, info: line, warn: line, error: line };
const openStore = (more: { maxBytes?: number; key?: Uint8Array } = {}): Promise<FileStore> =>
  FileStore.open({ folder, key: masterKey, log, ...more });

beforeEach(async () => {
  logged = [];
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-store-'));
  store = await openStore();
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function* parts(...of: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* of;
}
const unlimited = { offset: 0, maxBytes: Infinity };
const begin = (): Promise<StoredFile> => store.create(facts, { keepMs: MINUTE });
async function stored(bytes: Uint8Array): Promise<StoredFile> {
  const file = await begin();
  await file.append(parts(bytes), unlimited);
  await file.complete();
  return file;
}
async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error;
const inFolder = (file: StoredFile, ending = ''): string => path.join(folder, file.id + ending);

describe('appending', () => {
  it('goes on after a cut: what came before the source broke off stays', async () => {
    const file = await begin();
    const bytes = randomBytes(20 * CHUNK + 50);
    const cut = 17 * CHUNK + 11;
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, cut);
      throw new Error('connection reset');
    }
    await expect(file.append(broken(), unlimited)).rejects.toThrow('connection reset');
    expect(file).toMatchObject({ state: 'growing', size: cut });
    const before = fs.readFileSync(inFolder(file));
    expect(before).toHaveLength(17 * (CHUNK + 16)); // a chunk that is not full waits: none is encrypted twice
    for (const offset of [0, cut - 1, cut + 1, -1, NaN])
      await expect(file.append(parts(bytes), { offset, maxBytes: Infinity })).rejects.toMatchObject({
        code: 'part-out-of-order',
        data: { size: cut },
      });
    await file.append(parts(), { offset: cut, maxBytes: Infinity });
    await file.append(parts(new Uint8Array(0), bytes.subarray(cut)), { offset: cut, maxBytes: Infinity });
    await file.complete();
    expect((await all(file.stream())).equals(bytes)).toBe(true);
    expect(fs.readFileSync(inFolder(file)).subarray(0, before.length).equals(before)).toBe(true);
    await expect(file.append(parts(), { offset: file.size, maxBytes: Infinity })).rejects.toThrow(
      code('file-complete'),
    );
  });

  it('is given up with the reason of the signal while the source hangs, which is closed', async () => {
    const file = await begin();
    let isClosed = false;
    const source: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (file.size === 0 ? Promise.resolve({ value: Buffer.from('abc') }) : new Promise(() => undefined)),
        return: () => {
          isClosed = true;
          return new Promise(() => undefined);
        },
      }),
    };
    const ending = new AbortController();
    const appended = file.append(source, { ...unlimited, signal: ending.signal });
    await expect.poll(() => file.size).toBe(3);
    await expect(file.append(parts(), { offset: 3, maxBytes: 9 })).rejects.toMatchObject({
      code: 'file-busy',
      retryable: true,
    });
    await expect(file.complete()).rejects.toThrow(code('file-busy'));
    ending.abort(new Error('the person cancelled'));
    await expect(appended).rejects.toThrow('the person cancelled');
    expect(isClosed).toBe(true);
    await expect(file.append(parts(), { offset: 3, maxBytes: 9, signal: ending.signal })).rejects.toThrow('cancelled');
    await file.append(parts(Buffer.from('def')), { offset: 3, maxBytes: 9 });
    expect(Buffer.from(await file.read(0, 9)).toString()).toBe('abcdef');
  });

  it('asks the source for no part before the last one is dealt with', async () => {
    const file = await begin();
    let asked = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (; asked < 50; asked++) {
        expect(file.size).toBe(asked * 100_000);
        yield randomBytes(100_000);
      }
    }
    await file.append(source(), unlimited);
    expect(file.size).toBe(50 * 100_000);
  });

  it('fails a file that is too large, and leaves nothing of it on disk', async () => {
    const file = await begin();
    const follower = expect(all(file.stream())).rejects.toThrow(code('file-too-large'));
    await file.append(parts(randomBytes(20 * CHUNK)), unlimited);
    let isClosed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield randomBytes(CHUNK);
      } finally {
        isClosed = true;
      }
    }
    const limit = { offset: file.size, maxBytes: 40 * CHUNK };
    await expect(file.append(source(), limit)).rejects.toThrow(code('file-too-large'));
    await follower;
    expect(isClosed).toBe(true);
    expect(store.get(file.key, facts)).toMatchObject({ state: 'failed', failure: 'file-too-large' });
    await expect(file.read(0, 1)).rejects.toThrow(code('file-too-large'));
    await expect(file.complete()).rejects.toThrow(code('file-too-large'));
    expect([store.bytes, fs.readdirSync(folder)]).toEqual([0, []]);
  });

  it('fails a file for which the store has no room', async () => {
    await store.close();
    store = await openStore({ maxBytes: 5 * 1024 * 1024 });
    const first = await stored(randomBytes(2 * 1024 * 1024));
    const second = await begin();
    await expect(second.append(parts(randomBytes(2 * 1024 * 1024)), unlimited)).rejects.toThrow(code('disk-full'));
    expect(second).toMatchObject({ state: 'failed', failure: 'disk-full' });
    expect(fs.readdirSync(folder)).toEqual([first.id]);
    await first.remove();
    await stored(randomBytes(2 * 1024 * 1024));
  });

  it('leaves room for others, however much one person stores', async () => {
    await store.close();
    store = await openStore({ maxBytes: 8 * 1024 * 1024 });
    for (let size = 4 * 1024 * 1024; size > CHUNK; size /= 2) {
      const file = await begin();
      await file.append(parts(randomBytes(size)), unlimited).catch(() => undefined);
    }
    const other = await store.create({ ...facts, person: 'bob' }, { keepMs: MINUTE });
    await other.append(parts(randomBytes(2 * 1024 * 1024)), unlimited);
    await other.complete();
    expect(other.state).toBe('complete');
  });

  it.runIf(isRoot)('fails a file that fills the disk, and frees it', async () => {
    const disk = path.join(folder, 'disk');
    fs.mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    const small = await FileStore.open({ folder: disk, key: masterKey, log });
    try {
      const file = await small.create(facts, { keepMs: MINUTE });
      const pieces = Array.from({ length: 30 }, () => randomBytes(100_000));
      await expect(file.append(parts(...pieces), unlimited)).rejects.toThrow(code('disk-full'));
      expect(file).toMatchObject({ state: 'failed', failure: 'disk-full' });
      expect([small.bytes, fs.readdirSync(disk)]).toEqual([0, []]);
      const other = await small.create(facts, { keepMs: MINUTE });
      await other.append(parts(...pieces.slice(0, 18)), unlimited);
      await other.complete();
      expect((await all(other.stream())).equals(Buffer.concat(pieces.slice(0, 18)))).toBe(true);
      fs.writeFileSync(path.join(disk, 'rest'), randomBytes(2 * 1024 * 1024 - small.bytes - 8192));
      const { bytes } = small;
      other.update({ note: 'x'.repeat(16_000) });
      await expect(other.quarantine(Date.now() + MINUTE)).rejects.toThrow(code('disk-full'));
      expect(() => small.get(other.key, facts)).toThrow(code('file-quarantined')); // withheld all the same
      expect(small.bytes).toBe(bytes);
    } finally {
      await small.close();
      execFileSync('umount', [disk]);
    }
  });

  it('fails a file whose folder is gone', async () => {
    const file = await begin();
    fs.rmSync(folder, { recursive: true });
    await expect(file.append(parts(randomBytes(CHUNK)), unlimited)).rejects.toThrow(code('disk-failed'));
    expect(file).toMatchObject({ state: 'failed', failure: 'disk-failed' });
    expect(store.bytes).toBe(0);
  });
});

describe('files that go while they are used', () => {
  it('fail those who append, follow and read, with the reason', async () => {
    const endings = [
      ['file-unknown', (file: StoredFile) => file.remove()],
      ['virus', (file: StoredFile) => file.fail('virus')],
      ['file-unknown', () => store.endSession({ person: 'ann', session: 's1' })],
      ['file-unknown', () => store.close()],
    ] as const;
    for (const [reason, end] of endings) {
      const file = await begin();
      async function* source(): AsyncGenerator<Uint8Array> {
        yield randomBytes(40 * CHUNK);
        await new Promise(() => undefined);
      }
      const appended = expect(file.append(source(), unlimited)).rejects.toThrow(code(reason));
      await expect.poll(() => file.size).toBe(40 * CHUNK);
      const readers = [
        expect(all(file.stream())).rejects.toThrow(code(reason)),
        expect(all(file.stream(40 * CHUNK))).rejects.toThrow(code(reason)),
        expect(file.read(0, 40 * CHUNK)).rejects.toThrow(code(reason)),
      ];
      await Promise.all([end(file), end(file)]);
      await Promise.all([appended, ...readers]);
      expect([store.bytes, fs.readdirSync(folder)]).toEqual([0, []]);
    }
    await expect(begin()).rejects.toThrow(code('store-closed'));
  });

  it('end a stream between two pieces', async () => {
    const file = await stored(randomBytes(4 * CHUNK));
    const stream = file.stream()[Symbol.asyncIterator]();
    await stream.next();
    await file.remove();
    await expect(stream.next()).rejects.toThrow(code('file-unknown'));
  });

  it('a stream that waits ends with the reason of its signal', async () => {
    const file = await begin();
    const ending = new AbortController();
    const streamed = all(file.stream(0, undefined, ending.signal));
    ending.abort(new Error('left'));
    await expect(streamed).rejects.toThrow('left');
  });

  it('an entry that failed keeps the first reason', async () => {
    const file = await stored(Buffer.of(1));
    await file.fail('virus');
    await file.fail('other');
    expect(file.failure).toBe('virus');
  });
});

describe('arguments', () => {
  it('places that are none are refused', async () => {
    const file = await stored(randomBytes(10));
    for (const [from, length] of [
      [-1, 1],
      [0, -1],
      [0.5, 1],
      [NaN, 1],
      [0, Infinity],
      [0, 17 * 1024 * 1024],
    ] as const)
      await expect(file.read(from, length)).rejects.toThrow(code('bad-range'));
    expect(() => file.stream(-1)).toThrow(code('bad-range'));
    expect(() => file.stream(0, NaN)).toThrow(code('bad-range'));
    expect(await file.read(10, 5)).toHaveLength(0);
    expect(await all(file.stream(1e12))).toHaveLength(0);
  });

  it('facts are few, plain, and keep their owner', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const odd of [circle, 1n, 'x'.repeat(16 * 1024)])
      await expect(store.create({ ...facts, odd }, { keepMs: 1 })).rejects.toThrow(code('bad-facts'));
    const file = await begin();
    expect(() => file.update({ person: 'bob' })).toThrow(code('bad-facts'));
    const mine = { list: [1] };
    file.update({ mine });
    mine.list.push(2);
    expect(file.facts).toEqual({ ...facts, mine: { list: [1] } });
    await expect(store.create(facts, { keepMs: NaN })).rejects.toThrow(code('bad-time'));
  });
});

describe('a folder that was tampered with', () => {
  it('any changed, moved, cut or foreign chunk is refused as damaged', async () => {
    const bytes = randomBytes(3 * CHUNK + 500);
    const sealed = CHUNK + 16;
    const other = fs.readFileSync(inFolder(await stored(bytes)));
    const damages: ((data: Buffer) => Buffer)[] = [
      (data) => (data.writeUInt8(data.readUInt8(sealed + 5) ^ 1, sealed + 5), data),
      (data) => (data.writeUInt8(data.readUInt8(2 * sealed - 1) ^ 128, 2 * sealed - 1), data),
      (data) => Buffer.concat([data.subarray(sealed, 2 * sealed), data.subarray(0, sealed), data.subarray(2 * sealed)]),
      (data) => data.subarray(0, -1),
      (data) => data.subarray(0, 3 * sealed),
      () => other,
      () => Buffer.alloc(0),
    ];
    for (const damage of damages) {
      const file = await stored(bytes);
      fs.writeFileSync(inFolder(file), damage(fs.readFileSync(inFolder(file))));
      await expect(all(file.stream())).rejects.toThrow(code('file-damaged'));
      await expect(file.read(0, bytes.length)).rejects.toThrow(code('file-damaged'));
      expect(logged.filter((message) => message.includes('changed'))).not.toEqual([]);
    }
  });

  it('a start removes all that no quarantine keeps, with a line in the log, and whatever it is', async () => {
    const kept = await stored(randomBytes(CHUNK + 1));
    const spoilt = await Promise.all([1, 2, 3, 4, 5].map(() => stored(randomBytes(CHUNK + 1))));
    for (const file of [kept, ...spoilt]) await file.quarantine(Date.now() + MINUTE);
    const [changed, cut, without, swapped, huge] = spoilt;
    const side = '.quarantine';
    const meta = fs.readFileSync(inFolder(changed!, side));
    meta.writeUInt8(meta.readUInt8(40) ^ 1, 40);
    fs.writeFileSync(inFolder(changed!, side), meta);
    fs.truncateSync(inFolder(cut!), CHUNK);
    fs.rmSync(inFolder(without!));
    fs.copyFileSync(inFolder(kept, side), inFolder(swapped!, side));
    fs.truncateSync(inFolder(huge!, side), 1e9);
    fs.writeFileSync(path.join(folder, `${'0'.repeat(32)}.tmp`), 'half');
    fs.writeFileSync(path.join(folder, 'f'.repeat(32)), 'left by a process that was killed');
    fs.writeFileSync(path.join(folder, `x${side}`), '');
    fs.writeFileSync(path.join(folder, `${'1'.repeat(32)}${side}`), '');
    fs.mkdirSync(path.join(folder, `${'2'.repeat(32)}${side}`, 'in', 'folders'), { recursive: true });
    const outside = path.join(os.tmpdir(), `vitrine-outside-${process.pid}`);
    fs.writeFileSync(outside, 'stays');
    fs.symlinkSync(outside, path.join(folder, `${'3'.repeat(32)}${side}`));
    if (process.platform === 'linux') execFileSync('mkfifo', [path.join(folder, `${'4'.repeat(32)}${side}`)]);
    const next = await openStore();
    expect(new Set(fs.readdirSync(folder))).toEqual(new Set([kept.id, kept.id + side]));
    expect(next.list().map(({ id }) => id)).toEqual([kept.id]);
    expect(next.bytes).toBe(fs.statSync(inFolder(kept)).size + fs.statSync(inFolder(kept, side)).size);
    expect(fs.readFileSync(outside, 'utf8')).toBe('stays');
    fs.rmSync(outside);
    expect(logged.filter((message) => message.includes('damaged')).length).toBeGreaterThanOrEqual(9);
    expect(logged).toContain('files of an earlier process were removed');
  });

  it('a process that is killed while it writes leaves nothing but its quarantine', async () => {
    await store.close();
    const program = `
      const { FileStore } = await import(${JSON.stringify(path.join(import.meta.dirname, '../host/store/file-store.ts'))});
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const key = Buffer.from(${JSON.stringify(masterKey.toString('hex'))}, 'hex');
      const store = await FileStore.open({ folder: ${JSON.stringify(folder)}, key, log });
      const begin = () => store.create(${JSON.stringify(facts)}, { keepMs: 60000 });
      const kept = await begin();
      async function* source(byte, bytes) { for (let at = 0; at < bytes; at += 65536) yield Buffer.alloc(65536, byte); }
      await kept.append(source('k', 200000), { offset: 0, maxBytes: Infinity });
      await kept.complete();
      await kept.quarantine(Date.now() + 60000);
      const other = await begin();
      void other.append(source('o', Infinity), { offset: 0, maxBytes: Infinity });
      setInterval(() => other.size > 2 ** 22 && console.log(kept.id), 5);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const id = line.toString().slice(0, 32);
    expect(fs.readdirSync(folder)).toHaveLength(3);
    store = await openStore();
    expect(new Set(fs.readdirSync(folder))).toEqual(new Set([id, `${id}.quarantine`]));
    expect((await all(store.find(id).stream())).equals(Buffer.alloc(4 * CHUNK, 'k'))).toBe(true);
  });

  it('another master key opens nothing', async () => {
    const file = await stored(Buffer.from('x'));
    await file.quarantine(Date.now() + MINUTE);
    expect((await openStore({ key: randomBytes(32) })).list()).toEqual([]);
    expect(fs.readdirSync(folder)).toEqual([]);
    await expect(openStore({ key: randomBytes(16) })).rejects.toThrow(code('bad-key'));
  });
});
