import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { issuePid, PID_LIFETIME_MS, takePid } from '../pairing/pid-token.ts';
import { memoryStorage } from './memory-storage.ts';

const OPENER = 'https://vitrine.test/https://site.test/a?b';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a pid token', () => {
  it('[S-085] identifies the opener of a tab, once; it has 44 characters, 43 of them random', () => {
    const storage = memoryStorage();
    const pid = issuePid(storage, `${OPENER}#part`);
    expect(pid).toMatch(/^p[\w-]{43}$/);
    expect(takePid(storage, OPENER)).toBe(pid);
    expect(takePid(storage, OPENER)).toBeUndefined();
    expect(issuePid(storage, OPENER)).not.toBe(pid);
  });

  it('[S-085] is valid for ten minutes', () => {
    const storage = memoryStorage();
    const pid = issuePid(storage, OPENER);
    vi.advanceTimersByTime(PID_LIFETIME_MS);
    expect(takePid(storage, OPENER)).toBe(pid);
    issuePid(storage, OPENER);
    vi.advanceTimersByTime(PID_LIFETIME_MS + 1);
    expect(takePid(storage, OPENER)).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  it('[S-085] is rejected for a tab with another referrer, none, or one that browsers would have cut', () => {
    const storage = memoryStorage();
    const pid = issuePid(storage, OPENER);
    expect(takePid(storage, '')).toBeUndefined();
    expect(takePid(storage, 'https://vitrine.test/https://site.test/b')).toBeUndefined();
    expect(takePid(storage, OPENER)).toBe(pid);
    const long = `${OPENER}${'x'.repeat(4096)}`;
    issuePid(storage, long);
    expect(takePid(storage, long)).toBeUndefined();
  });

  it('[S-085] is rejected when it has the wrong length', () => {
    const storage = memoryStorage();
    for (const pid of ['p'.repeat(43), 'p'.repeat(45), 7]) {
      storage.setItem('sv_pid', JSON.stringify({ pid, url: OPENER, expires: Date.now() + 1000 }));
      expect(takePid(storage, OPENER)).toBeUndefined();
    }
    storage.setItem('sv_pid', 'nonsense');
    expect(takePid(storage, OPENER)).toBeUndefined();
    expect(takePid(undefined, OPENER)).toBeUndefined();
  });
});
