import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerCall } from '../../channel/server-call.ts';
import { loggerPath } from '../logger-call.ts';
import { softAssert } from '../soft-assert.ts';
import { PingMeter } from '../ping-stats.ts';
import { EVENT_PATH, Reporter } from '../reporter.ts';

const FLUSH_MS = 5000;

interface Batch {
  readonly items: readonly Record<string, unknown>[];
  readonly url: string;
  readonly host: string;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp({ fails = false, url = 'https://site.test/page' } = {}) {
  const calls: ServerCall[] = [];
  const reporter = new Reporter({
    url: () => url,
    facts: { build_id: 'b1', tc_api: 1, user_agent: 'agent', host: 'vitrine.test' },
    call: (call) => {
      calls.push(call);
      return fails ? Promise.reject(new Error('down')) : Promise.resolve({});
    },
  });
  const batches = (): Batch[] => calls.map(({ body }) => body as Batch);
  const names = (): unknown[] => batches().flatMap(({ items }) => items.map(({ event }) => event));
  return { reporter, calls, batches, names };
}

describe('event reporter', () => {
  it('[S-113] sends queued events after 5 s, and nothing when the queue is empty', async () => {
    const { reporter, calls, batches } = setUp();
    await vi.advanceTimersByTimeAsync(10 * FLUSH_MS);
    expect(calls).toEqual([]);
    reporter.report('tc-one');
    await vi.advanceTimersByTimeAsync(1000);
    reporter.report('tc-two');
    await vi.advanceTimersByTimeAsync(FLUSH_MS - 1001);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toMatchObject([{ label: 'clientevent', path: EVENT_PATH }]);
    expect(batches()).toMatchObject([
      { items: [{ event: 'tc-one' }, { event: 'tc-two' }], url: 'https://site.test/page', host: 'vitrine.test' },
    ]);
    await vi.advanceTimersByTimeAsync(10 * FLUSH_MS);
    expect(calls).toHaveLength(1);
  });

  it('[M-101] sends every event under a name that starts with tc-, except those that the specification defines', async () => {
    const { reporter, names } = setUp();
    for (const name of ['tc-a', 'b', 'etc-mtc-c', 'tab-storage-invalid', 'surrogate-view-start-failed', 'double-fault'])
      reporter.report(name);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(names().slice(0, 3)).toEqual(['tc-a', 'tc-b', 'tc-etc-mtc-c']);
    expect(names().slice(3)).toEqual(['tab-storage-invalid', 'surrogate-view-start-failed', 'double-fault']);
  });

  it('[S-089] knows the operations of the client logger, and rejects others without a request', () => {
    expect(loggerPath('clientevent')).toBe('/safeview-client-logger/clientevent');
    for (const operation of ['', 'clientEvent', 'clientevent/../../r/unpair'])
      expect(() => loggerPath(operation)).toThrow(expect.objectContaining({ code: 'unknown-operation' }));
  });

  it('[S-147] reports each failed soft assertion as an error, and continues', async () => {
    const { reporter, batches } = setUp();
    const report = reporter.report.bind(reporter);
    softAssert(true, 'fine', report);
    softAssert(false, 'odd', report);
    softAssert(false, 'odder', report);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(batches()[0]?.items).toEqual(
      ['odd', 'odder'].map((what) =>
        expect.objectContaining({ event: 'tc-soft-assert', level: 'error', data: { what } }),
      ),
    );
  });

  it('[S-113] queues 100 events at most', async () => {
    const { reporter, names } = setUp();
    for (let n = 0; n < 150; n += 1) reporter.report(`tc-${n}`);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(names()).toHaveLength(100);
  });

  it('records contain time, event, page and session', async () => {
    const { reporter, batches } = setUp();
    vi.setSystemTime(1_700_000_000_000);
    reporter.know({ sid: 's1', srouter_id: 'n1', cluster_id: 'local', tab: 't1', xff: '10.0.0.1' });
    reporter.report('tc-one', { n: 1 }, { level: 'warning' });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(batches()[0]?.items).toEqual([
      {
        ctime: 1_700_000_000_000,
        build_id: 'b1',
        tc_api: 1,
        event: 'tc-one',
        user_agent: 'agent',
        url: 'https://site.test/page',
        host: 'vitrine.test',
        sid: 's1',
        srouter_id: 'n1',
        cluster_id: 'local',
        tab: 't1',
        xff: '10.0.0.1',
        level: 'warning',
        data: { n: 1 },
      },
    ]);
  });

  it('[S-159] sends each name once unless forced', async () => {
    const { reporter, names } = setUp();
    reporter.report('tc-one', { n: 1 });
    await vi.advanceTimersByTimeAsync(10_000);
    reporter.report('tc-one', { n: 2 });
    reporter.report('tc-one', { n: 3 }, { force: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(names()).toEqual(['tc-one', 'tc-one']);
  });

  it('[S-159] sends a name once, however many reports of others come after it', async () => {
    const { reporter, names } = setUp();
    reporter.report('tc-once');
    for (let n = 0; n < 2000; n += 1) {
      reporter.report('tc-many', { n }, { force: true });
      vi.advanceTimersByTime(1);
    }
    await vi.advanceTimersByTimeAsync(FLUSH_MS); // there is room for it again
    reporter.report('tc-once');
    reporter.report('tc-after');
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(names().filter((name) => name !== 'tc-many')).toEqual(['tc-once', 'tc-after']);
  });

  it('[R-126] sends identical reports once within a second, forced or not', async () => {
    const { reporter, names } = setUp();
    reporter.report('tc-one', { n: 1 }, { force: true });
    await vi.advanceTimersByTimeAsync(999);
    reporter.report('tc-one', { n: 1 }, { force: true });
    reporter.report('tc-one', { n: 2 }, { force: true });
    await vi.advanceTimersByTimeAsync(1);
    reporter.report('tc-one', { n: 1 }, { force: true });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(names()).toHaveLength(3);
  });

  it('[S-159] caps strings at 4096 and records at 8192 characters', async () => {
    const { reporter, batches } = setUp();
    const deep: Record<string, unknown> = { loop: 'x' };
    deep['self'] = deep;
    reporter.report('tc-long', { text: 'x'.repeat(10_000) });
    reporter.report('tc-many', Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, '"'.repeat(100)])));
    reporter.report('tc-deep', deep);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    const [long, many, loop] = batches()[0]?.items ?? [];
    expect((long?.['data'] as { text: string }).text).toHaveLength(4096);
    expect(many?.['data']).toBeTypeOf('string');
    expect(JSON.stringify(many).length).toBeGreaterThan(4096);
    expect(loop?.['event']).toBe('tc-deep');
    for (const record of [long, many, loop]) expect(JSON.stringify(record).length).toBeLessThanOrEqual(8192);
  });

  it('[S-159] caps strings wherever they are in the data', async () => {
    const { reporter, batches } = setUp();
    reporter.report('tc-listed', { list: ['x'.repeat(5000), { text: 'y'.repeat(10) }] });
    reporter.report('tc-nested', { part: { text: 'x'.repeat(5000) } });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(batches()[0]?.items.map(({ data }) => data)).toEqual([
      { list: ['x'.repeat(4096), { text: 'y'.repeat(10) }] },
      { part: { text: 'x'.repeat(4096) } },
    ]);
  });

  it('[S-159] keeps a record of 8192 characters as it is', async () => {
    const { reporter, batches } = setUp();
    reporter.report('tc-empty', { a: 'x'.repeat(4000), b: '' });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    const room = 8192 - JSON.stringify(batches()[0]?.items[0]).length;
    reporter.report('tc-whole', { a: 'x'.repeat(4000), b: 'x'.repeat(room) });
    reporter.report('tc-above', { a: 'x'.repeat(4000), b: 'x'.repeat(room + 1) });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(batches()[1]?.items.map(({ data }) => typeof data)).toEqual(['object', 'string']);
  });

  it('[S-159] leaves 4096 characters of data that is too long, in a record of 8192 characters', async () => {
    const { reporter, batches } = setUp();
    const data = { a: 'x'.repeat(4096), b: 'x'.repeat(4096) };
    reporter.know({ xff: '' });
    reporter.report('tc-first', data);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    const room = 8192 - JSON.stringify(batches()[0]?.items[0]).length;
    reporter.know({ xff: 'x'.repeat(room) });
    reporter.report('tc-whole', data);
    reporter.know({ xff: 'x'.repeat(room + 1) });
    reporter.report('tc-above', data);
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    expect(batches()[1]?.items.map(({ data: text }) => text)).toEqual([
      `{"a":"${'x'.repeat(4090)}`,
      `{"a":"${'x'.repeat(2042)}`,
    ]);
  });

  it('[S-159] cuts a long address and a long name of the browser where the record is too long', async () => {
    const { reporter, batches } = setUp({ url: `https://site.test/${'p'.repeat(5000)}` });
    reporter.know({ user_agent: 'u'.repeat(1000) });
    reporter.report('tc-fits');
    reporter.report('tc-long', { text: 'x'.repeat(4096) });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    const [batch] = batches();
    expect(batch?.url).toBe(`https://site.test/${'p'.repeat(4078)}`);
    expect(batch?.items).toMatchObject([
      { url: `https://site.test/${'p'.repeat(4078)}`, user_agent: 'u'.repeat(1000) },
      { url: `https://site.test/${'p'.repeat(1006)}`, user_agent: 'u'.repeat(512) },
    ]);
  });

  it('[S-159] sends data of any kind, with 100 items of a list and four levels at most', async () => {
    const { reporter, batches } = setUp();
    const numbers = { whole: 1, part: -0.5, endless: Infinity, none: NaN };
    reporter.report('tc-kinds', { yes: true, no: false, nothing: null, act: () => 0, missing: undefined, ...numbers });
    reporter.report('tc-list', { list: Array.from({ length: 150 }, (_, n) => n) });
    reporter.report('tc-lists', { one: [[['three']]] });
    reporter.report('tc-parts', { one: { two: { three: { four: 4 } } } });
    await vi.advanceTimersByTimeAsync(FLUSH_MS);
    const [kinds, list, lists, parts] = batches()[0]?.items.map(({ data }) => data) ?? [];
    expect(kinds).toEqual({
      ...{ yes: true, no: false, nothing: null, act: 'function', missing: 'undefined' },
      ...{ whole: 1, part: -0.5, endless: 'number', none: 'number' },
    });
    expect(list).toEqual({ list: Array.from({ length: 100 }, (_, n) => n) });
    expect(lists).toEqual({ one: [['…']] });
    expect(parts).toEqual({ one: { two: { three: '…' } } });
  });

  it('[R-126] sends identical reports once within a second, however many others come between them', () => {
    const { reporter } = setUp();
    const beacons: string[] = [];
    reporter.leave((_, body) => void beacons.push(body)); // each report is sent at once
    for (let n = 0; n < 1500; n += 1) reporter.report('tc-many', { n }, { force: true });
    expect(beacons).toHaveLength(1500);
    for (const n of [0, 1499]) reporter.report('tc-many', { n }, { force: true });
    expect(beacons).toHaveLength(1500);
  });

  it('drops events that cannot be sent', async () => {
    const { reporter, calls } = setUp({ fails: true });
    reporter.report('tc-lost');
    await vi.advanceTimersByTimeAsync(10 * FLUSH_MS);
    expect(calls).toHaveLength(1);
  });

  it('sends queued events by beacon when the page is unloaded, and later ones too', async () => {
    const { reporter, calls } = setUp();
    const beacons: [string, string][] = [];
    const beacon = (...sent: [string, string]): void => void beacons.push(sent);
    reporter.leave(beacon);
    expect(beacons).toEqual([]);
    reporter.report('tc-late');
    expect(beacons).toMatchObject([[EVENT_PATH, expect.stringContaining('tc-late')]]);

    const { reporter: another } = setUp();
    another.report('tc-last');
    another.leave(beacon);
    expect(beacons).toMatchObject([{}, [EVENT_PATH, expect.stringContaining('tc-last')]]);
    await vi.advanceTimersByTimeAsync(10 * FLUSH_MS);
    expect(beacons).toHaveLength(2);
    expect(calls).toEqual([]);
  });
});

describe('ping meter', () => {
  it('computes last, minimum, mean, deviation, maximum, count and mode', () => {
    const meter = new PingMeter();
    expect(meter.stats()).toBeUndefined();
    for (const ms of [2, 4, 4, 4, 5, 5, 7, 9]) meter.add(ms, 'websocket');
    const stats = meter.stats();
    expect(stats).toMatchObject({ tlast: 9, tmin: 2, tavg: 5, tmax: 9, count: 8, mode: 'websocket' });
    expect(stats?.tstdev).toBeCloseTo(2);
  });
});
