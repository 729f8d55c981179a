import { describe, expect, it } from 'vitest';
import { growth } from '../../../../core/testing/growth.ts';
import { OP } from '../../ops.ts';
import { Flow, MAX_COUNTED } from '../flow.ts';
import { FrameStream } from '../frame-stream.ts';
import { LongSources, MAX_GIVEN_UNITS, MAX_KEPT_UNITS } from '../long-sources.ts';
import { QueueBudget } from '../queue-budget.ts';
import { NodePages, NodeTable } from '../sanitize/node-table.ts';
import { MAX_OWNERS, SheetVersions } from '../sheet-versions.ts';
import { MAX_USE_UNITS, MAX_USES, UseTable } from '../use-table.ts';

describe('[L12] tables that a page makes grow have a bound', () => {
  it('versions of sheets: the oldest owners are dropped, and their late texts with them', () => {
    const versions = new SheetVersions();
    for (let owner = 1; owner <= MAX_OWNERS; owner++) versions.renew(owner);
    versions.renew(1);
    const before = versions.of(2);
    versions.renew(MAX_OWNERS + 1);
    expect(versions.size).toBe(MAX_OWNERS);
    expect(before).toBeGreaterThan(0);
    expect(versions.of(2)).toBe(0);
    expect(versions.of(1)).toBe(MAX_OWNERS + 1);
  });

  it('references into other files: by number and by length', () => {
    const uses = new UseTable();
    const job = (id: number, address: string) => ({ id, name: 'href', address, fragment: '#a' });
    const first = job(1, 'https://site.test/1.svg');
    uses.note([first]);
    uses.note(Array.from({ length: MAX_USES }, (_, at) => job(at + 2, 'https://site.test/2.svg')));
    expect(uses.size).toBe(MAX_USES);
    expect(uses.has(first)).toBe(false);
    const long = 'x'.repeat(64 * 1024);
    uses.note(Array.from({ length: 200 }, (_, at) => job(at + 2, long)));
    expect(uses.units).toBeLessThanOrEqual(MAX_USE_UNITS);
    expect(uses.size).toBeGreaterThan(0);
    uses.note([{ id: 201, name: 'href' }]);
    uses.clear();
    expect([uses.size, uses.units]).toEqual([0, 0]);
  });

  it('batches that the client has not applied: the last one stands for more', () => {
    const flow = new Flow();
    for (let seq = 1; seq <= MAX_COUNTED * 3; seq++) flow.sent(1, 5, seq, 10);
    expect(flow.counted).toBe(MAX_COUNTED);
    expect(flow.full).toBe(true);
    flow.applied(1, 5, MAX_COUNTED * 2);
    expect(flow.counted).toBe(1);
    flow.applied(1, 5, MAX_COUNTED * 3);
    expect([flow.counted, flow.full]).toEqual([0, false]);
  });

  it('batches of a frame that has gone: they count no more, and are taken off once', () => {
    const flow = new Flow();
    for (const frame of [1, 2]) for (let seq = 1; seq <= 50; seq++) flow.sent(frame, 5, seq, 10);
    expect([flow.counted, flow.full]).toEqual([100, true]);
    for (let times = 0; times < 3; times++) flow.forget(1);
    expect([flow.counted, flow.full]).toEqual([50, true]);
    flow.applied(2, 5, 20);
    expect([flow.counted, flow.full]).toEqual([30, false]);
  });

  it('batches that wait in all frames: past the bound they are refused', () => {
    const budget = new QueueBudget({ batches: 3, units: 100 });
    budget.take(60);
    expect(() => budget.take(60)).toThrow(expect.objectContaining({ code: 'mirror-refused', retryable: true }));
    budget.take(20);
    budget.take(20);
    expect(() => budget.take(0)).toThrow(expect.objectContaining({ code: 'mirror-refused' }));
    budget.release(1, 60);
    budget.take(60);
  });

  it('[H7] nodes of all frames: the bytes of sparse ids count for the tab', () => {
    const pages = new NodePages();
    const tables = Array.from({ length: 3 }, () => new NodeTable(pages));
    const fill = (table: NodeTable): void => {
      for (let id = 1; id < 8192 * 4096; id += 256) table.set(id, 1);
    };
    const [first, second, third] = tables as [NodeTable, NodeTable, NodeTable];
    fill(first);
    fill(second);
    expect(() => third.set(1, 1)).toThrow(expect.objectContaining({ code: 'mirror-refused', retryable: true }));
    first.clear();
    third.set(1, 1);
    expect(third.get(1)).toBe(1);
    expect(first.get(1)).not.toBe(1);
  });

  it('[H3] long sources of fonts: what is kept, and what frames are given in a second', () => {
    let now = 1000;
    const sources = new LongSources(() => now);
    const source = 'x'.repeat(1024 * 1024);
    const keys = Array.from({ length: 20 }, () => sources.keep(source));
    expect(sources.units).toBe(MAX_KEPT_UNITS);
    expect(sources.give(keys[0] ?? 0)).toBeNull();
    const given = Array.from({ length: 200 }, () => sources.give(keys.at(-1) ?? 0)).filter((one) => one !== null);
    expect(given).toHaveLength(MAX_GIVEN_UNITS / source.length);
    now += 1000;
    expect(sources.give(keys.at(-1) ?? 0)).toBe(source);
  });
});

it('[H7] many references into one file take linear time', () => {
  const input = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, name: 'href', address: 'https://site.test/a.svg' }));
  const run = (jobs: ReturnType<typeof input>) => new UseTable().note(jobs);
  expect(growth({ input, run }, 10)).toBeLessThan(10);
});

it('[L12] a frame whose element is not known refuses what is too much to wait, and starts again', () => {
  const budget = new QueueBudget({ batches: 5, units: 1e6 });
  const emitted: number[] = [];
  const stream = (isOpen: boolean): FrameStream =>
    new FrameStream(
      {
        frame: 2,
        resource: () => 'token',
        sheet: () => Promise.resolve({ parts: [''] }),
        svg: () => Promise.resolve(undefined),
        budget,
        emit: ({ seq }) => void emitted.push(seq),
        onTaken: () => undefined,
      },
      isOpen,
    );
  const document = { epoch: 1, seq: 1, more: false, strings: ['https://site.test/'], ops: [[OP.doc, 0, 0, 0, 0]] };
  const next = (seq: number) => ({ epoch: 1, seq, more: false, strings: [], ops: [] });
  const [closed, other] = [stream(false), stream(true)];
  closed.take(document);
  for (let seq = 2; seq <= 5; seq++) closed.take(next(seq));
  expect(() => closed.take(next(6))).toThrow(expect.objectContaining({ code: 'mirror-refused' }));
  expect(() => other.take(document)).toThrow(expect.objectContaining({ code: 'mirror-refused' }));
  closed.take(next(7)); // dropped: the frame has to start again
  expect(closed.queued).toBe(5);
  closed.reset();
  other.take(document);
  expect(emitted).toEqual([1]);
});
