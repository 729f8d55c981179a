import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asyncGrowthBetween } from '../../../core/testing/growth.ts';
import type { AppError } from '../../../host/plugin.ts';
import { FileStore } from '../host/store/file-store.ts';
import type { FileFacts, StoredFile } from '../host/store/contract.ts';

const CHUNK = 64 * 1024;
const MINUTE = 60_000;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const facts: FileFacts = { person: 'ann', session: 's1', direction: 'down', name: 'a.pdf', url: 'https://a.example/' };
const ann = { person: 'ann', session: 's1' };
const masterKey = randomBytes(32);

let folder: string;
let now: number;
let store: FileStore;
const openStore = (): Promise<FileStore> => FileStore.open({ folder, key: masterKey, now: () => now, log: quiet });

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-store-'));
  now = 1_000_000;
  store = await openStore();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function* parts(...of: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* of;
}
const unlimited = { offset: 0, maxBytes: Infinity };
const begin = (more: Partial<FileFacts> = {}): Promise<StoredFile> =>
  store.create({ ...facts, ...more }, { keepMs: MINUTE });
async function stored(bytes: Uint8Array, more: Partial<FileFacts> = {}): Promise<StoredFile> {
  const file = await begin(more);
  await file.append(parts(bytes), unlimited);
  await file.complete();
  return file;
}
async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error;

describe('a stored file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 16 * CHUNK, 16 * CHUNK + 1, 40 * CHUNK - 7])(
    'of %i bytes comes out as it went in, and has its SHA-256',
    async (size) => {
      const bytes = randomBytes(size);
      const file = await stored(bytes);
      expect(file).toMatchObject({ state: 'complete', size, sha256: sha256(bytes), failure: undefined });
      expect((await all(file.stream())).equals(bytes)).toBe(true);
      expect(Buffer.from(await file.read(0, size + 10)).equals(bytes)).toBe(true);
      expect(store.bytes).toBe(size + 16 * Math.ceil(size / CHUNK));
    },
  );

  it('reads and streams any range as a plain buffer does, while it grows and after', async () => {
    const near = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -2, max: 2 }));
    const size = fc.oneof(
      near.map(([chunks, more]) => Math.max(0, chunks * CHUNK + more)),
      fc.integer({ min: 0, max: 6 * CHUNK }),
      fc.constant(0),
    );
    const ranges = fc.array(fc.tuple(size, size), { maxLength: 6 });
    const appends = fc.array(fc.record({ sizes: fc.array(size, { maxLength: 4 }), ranges }), { maxLength: 5 });
    const property = fc.asyncProperty(appends, ranges, async (steps, last) => {
      const file = await begin();
      let plain = Buffer.alloc(0);
      const check = async (wanted: [number, number][]): Promise<void> => {
        for (const [from, length] of wanted) {
          const expected = plain.subarray(from, from + length);
          expect(expected.equals(await file.read(from, length))).toBe(true);
          const to = Math.min(from + length, plain.length);
          expect(expected.equals(await all(file.stream(from, to)))).toBe(true);
        }
      };
      for (const { sizes, ranges: wanted } of steps) {
        const pieces = sizes.map((each) => randomBytes(each));
        await file.append(parts(...pieces), { offset: plain.length, maxBytes: Infinity });
        plain = Buffer.concat([plain, ...pieces]);
        expect(file.size).toBe(plain.length);
        await check(wanted);
      }
      await file.complete();
      await check(last);
      expect(file.sha256).toBe(sha256(plain));
      await file.remove();
      expect(store.bytes).toBe(0);
    });
    await fc.assert(property, { numRuns: 60 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gives what has come to those who follow it, before the source goes on', async () => {
    const file = await begin();
    const bytes = randomBytes(5 * CHUNK + 100);
    const follower = file.stream(3)[Symbol.asyncIterator]();
    let seen = Buffer.alloc(0);
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let end = 30_000; end < bytes.length + 30_000; end += 30_000) {
        yield bytes.subarray(end - 30_000, end);
        while (seen.length < Math.min(bytes.length, end) - 3)
          seen = Buffer.concat([seen, (await follower.next()).value as Uint8Array]);
      }
    }
    await file.append(source(), unlimited);
    const end = follower.next();
    await file.complete();
    expect(await end).toMatchObject({ done: true });
    expect(seen.equals(bytes.subarray(3))).toBe(true);
  });

  it('serves many readers at once while it grows', async () => {
    const file = await begin();
    const bytes = randomBytes(3 * 1024 * 1024 + 5);
    const readers = Array.from({ length: 40 }, (_, index) => all(file.stream(index * 1000)));
    const pieces = Array.from({ length: 70 }, (_, index) => bytes.subarray(index * 47_000, (index + 1) * 47_000));
    await file.append(parts(...pieces), unlimited);
    await file.complete();
    const results = await Promise.all(readers);
    expect(results.every((each, index) => each.equals(bytes.subarray(index * 1000)))).toBe(true);
  });

  it('grows beside more files than have a handle open', async () => {
    const files = await Promise.all(Array.from({ length: 80 }, () => begin()));
    const bytes = randomBytes(3 * CHUNK);
    for (let part = 0; part < 3; part++)
      await Promise.all(
        files.map((file) => {
          const offset = part * CHUNK;
          return file.append(parts(bytes.subarray(offset, offset + CHUNK)), { offset, maxBytes: Infinity });
        }),
      );
    await Promise.all(files.map((file) => file.complete()));
    const results = await Promise.all(files.map((file) => all(file.stream())));
    expect(results.every((each) => each.equals(bytes))).toBe(true);
    await Promise.all(files.map((file) => file.remove()));
    expect([store.bytes, readdirSync(folder).length]).toEqual([0, 0]);
  });

  it('gives copies: whoever changes what was read changes nothing', async () => {
    const file = await stored(Buffer.from('unchanged'));
    (await file.read(0, 9)).fill(0);
    expect(Buffer.from(await file.read(0, 9)).toString()).toBe('unchanged');
  });

  it('never stands on disk in plain, nor does its name, nor its key', async () => {
    const marker = Buffer.from('PLAIN-MARKER-'.repeat(20_000));
    const file = await stored(marker, { name: 'secret-name.pdf' });
    await file.quarantine(now + MINUTE);
    const again = await stored(marker);
    const names = readdirSync(folder);
    expect(names).toHaveLength(3);
    const bytes = Buffer.concat(names.map((name) => readFileSync(path.join(folder, name))));
    expect(names.join()).not.toContain(file.key);
    for (const word of ['PLAIN-MARKER', 'secret-name', file.key, file.sha256!])
      expect(bytes.includes(word)).toBe(false);
    const [first, second] = [file, again].map(({ id }) => readFileSync(path.join(folder, id)));
    expect(first!.equals(second!)).toBe(false);
  });
});

describe('owners and time', () => {
  it('a file is given to its person in its session alone, with one error for all others', async () => {
    const file = await stored(Buffer.from('x'));
    expect(file.key).toMatch(/^[\w-]{43}$/);
    expect(store.get(file.key, ann)).toBe(file);
    const asked = [
      [file.key, { person: 'bob', session: 's1' }],
      [file.key, { person: 'ann', session: 's2' }],
      [randomBytes(32).toString('base64url'), ann],
      [file.id, ann],
      ['', ann],
      ['x'.repeat(1e6), ann],
    ] as const;
    const answers = asked.map(([key, owner]) => {
      try {
        return store.get(key, owner);
      } catch (thrown) {
        const { code: given, message, data, retryable } = thrown as AppError;
        return { code: given, message, data, retryable };
      }
    });
    expect(answers[0]).toMatchObject({ code: 'file-unknown' });
    for (const each of answers) expect(each).toEqual(answers[0]);
  });

  it('an expired file is gone, which its owner alone learns', async () => {
    const file = await stored(Buffer.from('x'));
    now += MINUTE;
    for (let turn = 0; turn < 2; turn++) {
      expect(() => store.get(file.key, ann)).toThrow(code('file-expired'));
      expect(() => store.get(file.key, { person: 'bob', session: 's1' })).toThrow(code('file-unknown'));
      await store.expire();
    }
    expect([store.bytes, store.list().length, readdirSync(folder).length]).toEqual([0, 0, 0]);
    await expect(file.read(0, 1)).rejects.toThrow(code('file-unknown'));
  });

  it('is kept from its completion on, or until the time that is set', async () => {
    const file = await begin();
    now += 9 * MINUTE;
    await file.append(parts(Buffer.from('x')), unlimited);
    now += 9 * MINUTE;
    await store.expire();
    expect(store.get(file.key, ann)).toBe(file);
    await file.complete();
    expect(file.expiresAt).toBe(now + MINUTE);
    file.keepUntil(now + 5 * MINUTE);
    now += 4 * MINUTE;
    await store.expire();
    expect(store.get(file.key, ann)).toBe(file);
    expect(() => file.keepUntil(NaN)).toThrow(code('bad-time'));
  });

  it('one that nothing arrives for is removed after ten minutes, also while its source hangs', async () => {
    const idle = await begin();
    const hanging = await begin();
    async function* source(): AsyncGenerator<Uint8Array> {
      yield randomBytes(CHUNK);
      await new Promise(() => undefined);
    }
    const refused = expect(hanging.append(source(), unlimited)).rejects.toThrow(code('file-unknown'));
    await expect.poll(() => hanging.size).toBe(CHUNK);
    now += 10 * MINUTE;
    await store.expire();
    await refused;
    expect(store.list()).toEqual([]);
    expect(() => store.get(idle.key, ann)).toThrow(code('file-expired'));
  });

  it('the end of a session removes its files, and no others', async () => {
    const own = await stored(randomBytes(100));
    const growing = await begin();
    const other = await stored(Buffer.from('other'), { session: 's2' });
    await store.endSession({ person: 'ann', session: 's1' });
    expect(store.list()).toEqual([other]);
    for (const file of [own, growing]) expect(() => store.get(file.key, ann)).toThrow(code('file-unknown'));
    expect(readdirSync(folder)).toEqual([other.id]);
  });

  it('a person has no more than 500 files, quarantined ones aside', async () => {
    const first = await stored(Buffer.from('x'));
    for (let count = 1; count < 500; count++) await begin();
    await expect(begin()).rejects.toThrow(code('too-many-files'));
    await begin({ person: 'bob' });
    await first.quarantine(now + MINUTE);
    await begin();
  });

  it('takes time in proportion to the number of files and of parts', async () => {
    const files = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) await begin({ person: `p${index % 50}`, session: `s${index}` });
      for (let index = 0; index < count; index++) await store.endSession({ person: 'ann', session: `s${index}` });
    };
    const tiny = async (count: number): Promise<void> => {
      const file = await begin();
      const reader = all(file.stream());
      await file.append(parts(...Array.from({ length: 10 * count }, () => Buffer.of(1))), unlimited);
      await file.complete();
      expect((await reader).length).toBe(10 * count);
      await file.remove();
    };
    for (const run of [files, tiny]) {
      const ratio = await asyncGrowthBetween({ input: (count) => count, run }, 10, [1000, 4000]);
      expect(ratio, run.name).toBeLessThan(10); // 16 where it is quadratic
    }
  });
});

describe('quarantine', () => {
  it('keeps a file across the end of its session and restarts, from its owner too', async () => {
    const bytes = randomBytes(3 * CHUNK + 9);
    const file = await stored(bytes);
    const empty = await stored(Buffer.alloc(0));
    for (const each of [file, empty]) await each.quarantine(now + 100 * MINUTE);
    file.update({ verdict: 'infected' });
    file.update({ rule: 7 });
    expect(() => store.get(file.key, ann)).toThrow(code('file-quarantined'));
    expect(() => store.get(file.key, { person: 'bob', session: 's1' })).toThrow(code('file-unknown'));
    await store.endSession({ person: 'ann', session: 's1' });
    let before = 0;
    for (let restart = 0; restart < 2; restart++) {
      now += MINUTE;
      await store.close();
      before = store.bytes;
      store = await openStore();
    }
    expect(store.bytes).toBe(before);
    expect(new Set(store.list().map(({ id }) => id))).toEqual(new Set([file.id, empty.id]));
    const again = store.find(file.id);
    expect(again).toMatchObject({ key: file.key, state: 'complete', size: bytes.length, sha256: sha256(bytes) });
    expect(again.facts).toEqual({ ...facts, verdict: 'infected', rule: 7 });
    expect((await all(again.stream())).equals(bytes)).toBe(true);
    expect(() => store.get(file.key, ann)).toThrow(code('file-quarantined'));
    now += 100 * MINUTE;
    await store.expire();
    expect([store.bytes, readdirSync(folder).length]).toEqual([0, 0]);
  });

  it('gives a released file to its owner alone, and keeps it until the quarantine ends', async () => {
    const file = await stored(Buffer.from('clean'));
    await expect(file.release()).rejects.toThrow(code('not-quarantined'));
    await file.quarantine(now + 10 * MINUTE);
    await file.release();
    expect(store.get(file.key, ann)).toBe(file);
    for (const other of [
      { person: 'ann', session: 's9' },
      { person: 'bob', session: 's1' },
    ])
      expect(() => store.get(file.key, other)).toThrow(code('file-unknown'));
    await store.endSession(ann);
    now += 5 * MINUTE;
    await store.close();
    store = await openStore();
    const again = store.find(file.id);
    expect(again).toMatchObject({ isReleased: true, quarantinedUntil: 1_000_000 + 10 * MINUTE });
    expect(String(await all(again.stream()))).toBe('clean');
    now += 5 * MINUTE;
    await store.expire();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes complete files alone', async () => {
    const growing = await begin();
    await expect(growing.quarantine(now + MINUTE)).rejects.toThrow(code('file-incomplete'));
    await growing.fail('blocked');
    await expect(growing.quarantine(now + MINUTE)).rejects.toThrow(code('blocked'));
    await expect((await stored(Buffer.of(1))).quarantine(Infinity)).rejects.toThrow(code('bad-time'));
  });
});
