import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabStore } from '../tab/tab-store.ts';
import type { StoredPairing } from '../tab/tab-store.ts';
import { memoryStorage } from './memory-storage.ts';

const PAIRING: StoredPairing = {
  safe_rid: 'safe',
  cid: 'c1',
  mpa_id: 'm1',
  cluster_id: 'local',
  tab_id: 't1',
  protocol_domain: 'a.vitrine.test',
  cluster_domain: 'vitrine.test',
  inspect_domain: 'inspect.vitrine.test',
  surrogate_view_active: true,
  pending_doctype_correction: false,
};

const stores: TabStore[] = [];
const reports: string[] = [];

function open(
  storage: Storage | undefined,
  window: { name: string },
  clusterDomain = 'vitrine.test',
  isTraversal = false,
): TabStore {
  const report = (name: string): void => void reports.push(name);
  const store = new TabStore({ storage, window, isTraversal, clusterDomain, report });
  stores.push(store);
  return store;
}

beforeEach(() => {
  vi.useFakeTimers();
  reports.length = 0;
});
afterEach(() => {
  for (const store of stores.splice(0)) store.dispose();
  vi.useRealTimers();
});

describe('tab store', () => {
  it('[S-052] names the window after the tab: sv_tab_id: and 16 random characters', () => {
    const window = { name: '' };
    const store = open(memoryStorage(), window);
    expect(window.name).toMatch(/^sv_tab_id:[\w-]{16}$/);
    expect(window.name).toBe(`sv_tab_id:${store.tabId}`);
    expect(open(memoryStorage(), { name: '' }).tabId).not.toBe(store.tabId);
  });

  it('[S-004] restores the pairing of a reloaded tab, and none for another tab', () => {
    const storage = memoryStorage();
    const window = { name: '' };
    const first = open(storage, window);
    first.save(PAIRING);
    first.dispose();
    const reloaded = open(storage, window);
    expect(reloaded.tabId).toBe(first.tabId);
    expect(reloaded.load()).toEqual(PAIRING);
    expect(open(storage, { name: 'a name of the site' }).load()).toBeUndefined();
  });

  it('[S-004] finds the latest pairing of a tab that comes back without its name', () => {
    const storage = memoryStorage();
    open(storage, { name: '' }).save({ ...PAIRING, cid: 'earlier' });
    vi.advanceTimersByTime(1000);
    const left = open(storage, { name: '' });
    left.save(PAIRING);
    const window = { name: '' };
    const back = open(storage, window, 'vitrine.test', true);
    expect(back.tabId).toBe(left.tabId);
    expect(back.load()).toEqual(PAIRING);
    expect(window.name).toBe(`sv_tab_id:${left.tabId}`);
    expect(open(storage, { name: '' }).load()).toBeUndefined(); // a window that this one has opened: it has a copy of the storage
    expect(open(memoryStorage(), { name: '' }, 'vitrine.test', true).load()).toBeUndefined();
  });

  it('[S-004] gives a duplicate of a tab its own identity, and keeps no pairing of the other', () => {
    const storage = memoryStorage();
    const window = { name: '' };
    const store = open(storage, window);
    const { tabId } = store;
    store.save(PAIRING);
    store.becomeAnother();
    expect(store.tabId).not.toBe(tabId);
    expect(storage.length).toBe(0);
    expect(window.name).toBe(`sv_tab_id:${store.tabId}`);
    expect(store.load()).toBeUndefined();
  });

  it('[S-084] clears a state without safe_rid and cid', () => {
    const storage = memoryStorage();
    const window = { name: '' };
    const store = open(storage, window);
    store.save({ ...PAIRING, cid: '' });
    expect(store.load()).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  const domains = ['protocol_domain', 'cluster_domain', 'inspect_domain'] as const;
  it.each(domains)('[S-084] ignores domains of another cluster, as %s is', (name) => {
    const storage = memoryStorage();
    const window = { name: '' };
    open(storage, window).save({ ...PAIRING, [name]: 'inspect.evil.test' });
    const restored = open(storage, window).load();
    expect(restored).toMatchObject({ safe_rid: 'safe', cid: 'c1' });
    for (const each of domains) expect(restored).not.toHaveProperty(each);
    expect(reports).toEqual(['tab-storage-invalid']);
  });

  it('[S-162] purges entries without updates for 100 s, with a sweep every 10 s; an open tab updates its own', () => {
    const storage = memoryStorage();
    const left = open(storage, { name: '' });
    left.save(PAIRING);
    left.dispose();
    const own = open(storage, { name: '' });
    own.save(PAIRING);
    vi.advanceTimersByTime(100_000);
    vi.advanceTimersByTime(9_999);
    expect(storage.length).toBe(2);
    vi.advanceTimersByTime(1);
    expect(storage.length).toBe(1);
    expect(own.load()).toEqual(PAIRING);
  });

  it('[S-162] does not resume an older one', () => {
    const storage = memoryStorage();
    const window = { name: '' };
    const store = open(storage, window);
    store.save(PAIRING);
    store.dispose();
    vi.advanceTimersByTime(100_001);
    expect(open(storage, window).load()).toBeUndefined();
  });

  it('[S-004] keeps pairing and identity once its document is unloaded, whatever fails in it then', () => {
    const storage = memoryStorage();
    const window = { name: '' };
    const left = open(storage, window);
    left.save(PAIRING);
    left.dispose();
    left.clear();
    left.becomeAnother();
    expect(open(storage, window).load()).toEqual(PAIRING);
  });

  it('[S-080] is unreliable without a storage, with one that throws, or when the window name has been changed', () => {
    const window = { name: '' };
    const store = open(memoryStorage(), window);
    expect(store.reliable).toBe(true);
    window.name = 'taken';
    expect(store.reliable).toBe(false);
    expect(open(undefined, { name: '' }).reliable).toBe(false);
    const refusing = Object.assign(memoryStorage(), {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    const full = open(refusing, { name: '' });
    full.save(PAIRING);
    expect(full.reliable).toBe(false);
  });
});
