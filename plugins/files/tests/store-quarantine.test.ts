import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CHUNK,
  MINUTE,
  all,
  ann,
  begin,
  code,
  facts,
  folder,
  now,
  pass,
  restart,
  sha256,
  store,
  stored,
  useStore,
} from './own-store.ts';

useStore();

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
    for (let restarts = 0; restarts < 2; restarts++) {
      pass(MINUTE);
      before = store.bytes;
      await restart();
    }
    expect(store.bytes).toBe(before);
    expect(new Set(store.list().map(({ id }) => id))).toEqual(new Set([file.id, empty.id]));
    const again = store.find(file.id);
    expect(again).toMatchObject({ key: file.key, state: 'complete', size: bytes.length, sha256: sha256(bytes) });
    expect(again.facts).toEqual({ ...facts, verdict: 'infected', rule: 7 });
    expect((await all(again.stream())).equals(bytes)).toBe(true);
    expect(() => store.get(file.key, ann)).toThrow(code('file-quarantined'));
    pass(100 * MINUTE);
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
    pass(5 * MINUTE);
    await restart();
    const again = store.find(file.id);
    expect(again).toMatchObject({ isReleased: true, quarantinedUntil: 1_000_000 + 10 * MINUTE });
    expect(String(await all(again.stream()))).toBe('clean');
    pass(5 * MINUTE);
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
