import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from '../../overlay/poller.ts';
import { ScriptLoader } from '../script-loader.ts';
import { sheetLoaded } from '../../overlay/style-check.ts';

interface Link {
  onload?: () => void;
  onerror?: () => void;
}

const links: Link[] = [];
const reports: string[] = [];
const loader = (): ScriptLoader => {
  const document = {
    createElement: (): Link => ({}),
    head: { append: (link: Link) => void links.push(link) },
  } as unknown as Document; // all of a document that preloading uses
  return new ScriptLoader(document, (name) => void reports.push(name));
};

beforeEach(() => {
  vi.useFakeTimers();
  links.length = reports.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the script loader', () => {
  it('[S-055] goes from preloading (1) to preloaded (2), loading (3) and loaded (4)', async () => {
    const scripts = loader();
    expect(scripts.state('/a.js')).toBeUndefined();
    const preloaded = scripts.preload('/a.js');
    expect(scripts.state('/a.js')).toBe(1);
    links[0]?.onload?.();
    await preloaded;
    expect(scripts.state('/a.js')).toBe(2);
    const module = scripts.load('/a.js', async () => 'module');
    expect(scripts.state('/a.js')).toBe(3);
    expect(await module).toBe('module');
    await vi.advanceTimersByTimeAsync(0);
    expect(scripts.state('/a.js')).toBe(4);
    expect(reports).toEqual([]);
  });

  it('[S-055] stays with loading (3) where the script is fetched ahead until then', async () => {
    const scripts = loader();
    const preloaded = scripts.preload('/a.js');
    const { promise, resolve } = Promise.withResolvers<string>();
    const module = scripts.load('/a.js', () => promise);
    links[0]?.onload?.();
    await preloaded;
    expect(scripts.state('/a.js')).toBe(3);
    resolve('module');
    expect(await module).toBe('module');
    await vi.advanceTimersByTimeAsync(0);
    expect(scripts.state('/a.js')).toBe(4);
  });

  it('[S-055] counts a failure, and 7 s, as completion', async () => {
    const scripts = loader();
    const preloaded = scripts.preload('/a.js');
    links[0]?.onerror?.();
    await preloaded;
    expect(scripts.state('/a.js')).toBe(2);
    await expect(scripts.load('/a.js', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(0);
    expect(scripts.state('/a.js')).toBe(4);

    let isDone = false;
    const hangs = new Promise<never>(() => undefined);
    void scripts.load('/b.js', () => hangs);
    void scripts.completed(hangs).then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(6999);
    expect([isDone, scripts.state('/b.js')]).toEqual([false, 3]);
    await vi.advanceTimersByTimeAsync(1);
    expect([isDone, scripts.state('/b.js')]).toEqual([true, 4]);
    expect(new Set(reports)).toEqual(new Set(['tc-script-not-loaded']));
  });
});

describe('a sheet that is checked', () => {
  it('[S-158] is looked at after 500 ms, then every 250 ms, 20 times in all', async () => {
    const looks: number[] = [];
    const start = Date.now();
    const link = {
      get sheet() {
        looks.push(Date.now() - start);
        return null;
      },
    };
    const loaded = sheetLoaded(link);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await loaded).toBe(false);
    expect(looks).toEqual(Array.from({ length: 20 }, (_, index) => 500 + 250 * index));
  });

  it('[S-158] is waited for no longer once it is there', async () => {
    const link = { sheet: null as object | null };
    const loaded = sheetLoaded(link as never);
    await vi.advanceTimersByTimeAsync(600);
    link.sheet = {};
    await vi.advanceTimersByTimeAsync(150);
    expect(await loaded).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a poller', () => {
  it('[S-097] refuses to start without a condition, a largest count and an interval', () => {
    const good = { condition: () => true, maxPolls: 3, intervalMs: 100 };
    for (const missing of ['condition', 'maxPolls', 'intervalMs'])
      expect(() => poll({ ...good, [missing]: undefined })).toThrow(expect.objectContaining({ code: 'bad-poller' }));
    expect(() => poll({ ...good, maxPolls: 0 })).toThrow();
    expect(vi.getTimerCount()).toBe(0);
    expect(() => poll(good)).not.toThrow();
  });
});
