import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storePid, takePid } from '../pairing/pid-token.ts';
import { memoryStorage } from './memory-storage.ts';

const OPENER = 'https://vitrine.test/https://site.test/a?b';
const TOKEN = `p${'x'.repeat(43)}`;
const OTHER = `p${'y'.repeat(43)}`;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a pid token', () => {
  it('[S-085] is presented once, by the tab that was opened with it', () => {
    const storage = memoryStorage();
    storePid(storage, TOKEN, `${OPENER}#part`);
    storePid(storage, OTHER, OPENER);
    expect(takePid(storage, `p${'z'.repeat(43)}`, OPENER)).toBeUndefined();
    expect(takePid(storage, TOKEN, OPENER)).toBe(TOKEN);
    expect(takePid(storage, TOKEN, OPENER)).toBeUndefined();
    expect(takePid(storage, OTHER, OPENER)).toBe(OTHER);
    expect(storage.length).toBe(0);
  });

  it('[S-085] is valid for ten minutes', () => {
    const storage = memoryStorage();
    storePid(storage, TOKEN, OPENER);
    vi.advanceTimersByTime(600_000);
    expect(takePid(storage, TOKEN, OPENER)).toBe(TOKEN);
    storePid(storage, TOKEN, OPENER);
    vi.advanceTimersByTime(600_001);
    expect(takePid(storage, TOKEN, OPENER)).toBeUndefined();
    storePid(storage, OTHER, OPENER);
    expect(storage.length).toBe(1); // the expired one is gone
  });

  it('[S-085] is rejected for a tab with another referrer, or none', () => {
    const storage = memoryStorage();
    storePid(storage, TOKEN, OPENER);
    const others = ['https://site.test/b', 'https://site.test/a?b=c', 'https://site.test/a'];
    for (const referrer of ['', 'https://vitrine.test/', ...others.map((page) => `https://vitrine.test/${page}`)])
      expect(takePid(storage, TOKEN, referrer)).toBeUndefined();
    expect(takePid(storage, TOKEN, OPENER)).toBe(TOKEN);
  });

  it('[S-085] knows an opener with a long address by its origin, as browsers send it', () => {
    const storage = memoryStorage();
    const long = OPENER.padEnd(4097, 'x');
    storePid(storage, TOKEN, long);
    expect(takePid(storage, TOKEN, long)).toBeUndefined();
    expect(takePid(storage, TOKEN, 'https://vitrine.test/')).toBe(TOKEN);
    const short = OPENER.padEnd(4096, 'x');
    storePid(storage, TOKEN, short);
    expect(takePid(storage, TOKEN, short)).toBe(TOKEN);
  });

  it('[S-085] is rejected unless it has 44 characters, and a valid record', () => {
    const storage = memoryStorage();
    for (const pid of ['', 'p'.repeat(43), 'p'.repeat(45)]) {
      storePid(storage, pid, OPENER);
      expect(takePid(storage, pid, OPENER)).toBeUndefined();
    }
    for (const record of ['nonsense', '{}', JSON.stringify({ url: OPENER, expires: 'later' })]) {
      storage.setItem(`sv_pid:${TOKEN}`, record);
      expect(takePid(storage, TOKEN, OPENER)).toBeUndefined();
    }
    expect(takePid(undefined, TOKEN, OPENER)).toBeUndefined();
  });
});
