import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { asyncGrowthBetween } from '../../../core/testing/growth.ts';
import type { AppError } from '../../../host/plugin.ts';

import {
  CHUNK,
  MINUTE,
  all,
  ann,
  begin,
  code,
  folder,
  now,
  parts,
  pass,
  sha256,
  store,
  stored,
  unlimited,
  useStore,
} from './own-store.ts';

useStore();

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
    pass(MINUTE);
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
    pass(9 * MINUTE);
    await file.append(parts(Buffer.from('x')), unlimited);
    pass(9 * MINUTE);
    await store.expire();
    expect(store.get(file.key, ann)).toBe(file);
    await file.complete();
    expect(file.expiresAt).toBe(now + MINUTE);
    file.keepUntil(now + 5 * MINUTE);
    pass(4 * MINUTE);
    await store.expire();
    expect(store.get(file.key, ann)).toBe(file);
    expect(() => file.keepUntil(NaN)).toThrow(code('bad-time'));
    file.keepAnew();
    expect(file.expiresAt).toBe(now + MINUTE);
  });

  it('one that nothing arrives for is removed after ten minutes, also while its source hangs', async () => {
    const idle = await begin();
    await idle.append(parts(Buffer.from('x')), unlimited);
    const hanging = await begin();
    async function* source(): AsyncGenerator<Uint8Array> {
      yield randomBytes(CHUNK);
      await new Promise(() => undefined);
    }
    const refused = expect(hanging.append(source(), unlimited)).rejects.toThrow(code('file-unknown'));
    await expect.poll(() => hanging.size).toBe(CHUNK);
    pass(10 * MINUTE);
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

  it('that its owner has given up is theirs no more, and goes once whoever reads it has all of it', async () => {
    const bytes = randomBytes(40 * CHUNK);
    const file = await stored(bytes);
    const readers = [file.stream(), file.stream(5)].map((stream) => stream[Symbol.asyncIterator]());
    const [first, second] = await Promise.all(readers.map((reader) => reader.next()));
    await file.retire();
    expect(() => store.get(file.key, ann)).toThrow(code('file-unknown'));
    expect(store.bytes).toBeGreaterThan(0);
    const rest = (reader: AsyncIterator<Uint8Array> | undefined): Promise<Buffer> =>
      all({ [Symbol.asyncIterator]: () => reader ?? parts()[Symbol.asyncIterator]() });
    const whole = Buffer.concat([first?.value as Uint8Array, await rest(readers[0])]);
    expect(whole.equals(bytes)).toBe(true);
    expect(second?.done).toBe(false);
    await readers[1]?.return?.(); // the person has stopped it
    await expect.poll(() => store.bytes).toBe(0);
    const unread = await stored(bytes);
    await unread.retire();
    expect(store.bytes).toBe(0);
    // Administrators have what is in quarantine.
    const kept = await stored(bytes);
    await kept.quarantine(now + MINUTE);
    await kept.release();
    await kept.retire();
    expect(store.list()).toEqual([kept]);
  });

  it.each(['the end of its session', 'its expiry'])('is read to its end after %s, but not begun', async (how) => {
    const bytes = randomBytes(40 * CHUNK);
    const file = await stored(bytes);
    const reader = file.stream();
    const first = await reader[Symbol.asyncIterator]().next();
    pass(2 * MINUTE);
    await (how === 'its expiry' ? store.expire() : store.endSession(ann));
    expect(() => store.get(file.key, ann)).toThrow(code(how === 'its expiry' ? 'file-expired' : 'file-unknown'));
    expect(Buffer.concat([first.value as Uint8Array, await all(reader)]).equals(bytes)).toBe(true);
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  it('that is to go is taken from those who read less than 1 MiB of it in a minute, and from nobody else', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const bytes = randomBytes(60 * CHUNK);
      const file = await stored(bytes);
      const [slow, fast] = [file.stream(), file.stream()].map((stream) => stream[Symbol.asyncIterator]());
      const read = async (from = fast, chunks = 16): Promise<void> => {
        for (let count = 0; count < chunks; count += 1) expect((await from!.next()).done).toBe(false);
      };
      await read(slow);
      await store.endSession(ann);
      await read(slow, 15);
      await read();
      vi.advanceTimersByTime(MINUTE);
      await expect(slow!.next()).rejects.toThrow(code('file-unknown'));
      await read();
      vi.advanceTimersByTime(MINUTE);
      await read(fast, 1);
      expect(store.bytes).toBeGreaterThan(0);
      vi.advanceTimersByTime(MINUTE);
      await expect.poll(() => store.bytes).toBe(0);
      await expect(fast!.next()).rejects.toThrow(code('file-unknown'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('that waits for its first byte is given up later than one that has stalled', async () => {
    const [waiting, stalled] = [await begin(), await begin()];
    await stalled.append(parts(Buffer.from('x')), unlimited);
    pass(11 * MINUTE);
    await store.expire();
    expect(store.list()).toEqual([waiting]);
    pass(110 * MINUTE);
    await store.expire();
    expect(store.list()).toEqual([]);
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
