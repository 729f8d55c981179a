import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_EVENT_UNITS } from '../../contracts/records.ts';
import { validate } from '../../../core/protocol/message.ts';
import { MAX_COUNT, recordsSchema } from '../../declared/records-sent.ts';
import type { SentRecords } from '../../declared/records-sent.ts';
import { LINK_LIMITS } from '../../link/limits.ts';
import { MAX_PLUGIN_EVENTS, MAX_WAITING_EVENTS, RecordBuffer } from '../record-buffer.ts';

const manifest = {
  id: 'print',
  version: '1.0.0',
  api: 1,
  description: 'x',
  activation: 'boot',
  metrics: { documents: 'x', bytes: 'x' },
  eventFiles: { made: 'x' },
} as const;

const other = { ...manifest, id: 'other' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const sent: SentRecords[] = [];
  const buffer = new RecordBuffer([manifest, other], (records) => void sent.push(records));
  return { buffer, sent, records: buffer.of('print') };
}

it('sends sums and events once a second, and nothing where there is nothing', () => {
  const { buffer, sent, records } = start();
  vi.advanceTimersByTime(3000);
  expect(sent).toEqual([]);
  for (let count = 0; count < 10_000; count += 1) records.count('documents');
  records.count('bytes', 50);
  records.append('made', { site: 'https://a.test' });
  vi.advanceTimersByTime(1000);
  const counts = [
    { plugin: 'print', name: 'documents', by: 10_000 },
    { plugin: 'print', name: 'bytes', by: 50 },
  ];
  expect(sent).toEqual([
    { counts, dropped: [], events: [{ plugin: 'print', file: 'made', event: '{"site":"https://a.test"}' }] },
  ]);
  records.count('bytes', 1);
  buffer.close();
  expect(sent[1]).toEqual({ counts: [{ plugin: 'print', name: 'bytes', by: 1 }], events: [], dropped: [] });
});

it('refuses what the manifest does not declare, and what is no count or event', () => {
  const { buffer, records } = start();
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const [call, code] of [
    [() => records.count('pages'), 'not-declared'],
    [() => records.count('made'), 'not-declared'],
    [() => records.count('toString'), 'not-declared'],
    [() => buffer.of('third').count('documents'), 'not-declared'],
    [() => records.append('documents', {}), 'not-declared'],
    [() => records.count('bytes', -1), 'bad-message'],
    [() => records.count('bytes', 0.5), 'bad-message'],
    [() => records.append('made', { text: 'x'.repeat(MAX_EVENT_UNITS) }), 'bad-message'],
    [() => records.append('made', circle), 'bad-message'],
    [() => records.append('made', [] as never), 'bad-message'],
  ] as const)
    expect(call).toThrow(expect.objectContaining({ code }));
});

it('drops events past the bound of each plugin, says how many, and keeps those of others', () => {
  const { buffer, sent, records } = start();
  for (let count = 0; count < 250_000; count += 1) records.append('made', { count });
  buffer.of('other').append('made', { of: 'other' });
  buffer.flush();
  expect(sent[0]?.events).toHaveLength(MAX_PLUGIN_EVENTS + 1);
  expect(sent[0]?.events.at(-1)).toEqual({ plugin: 'other', file: 'made', event: '{"of":"other"}' });
  expect(sent[0]?.dropped).toEqual([{ plugin: 'print', count: 250_000 - MAX_WAITING_EVENTS }]);
  buffer.flush();
  expect(sent[1]).toMatchObject({ events: Array(MAX_PLUGIN_EVENTS).fill({ plugin: 'print' }), dropped: [] });
});

it('sends a burst in turns, in order, and what waits when it is closed', () => {
  const { buffer, sent, records } = start();
  const kept = (): unknown[] =>
    sent.flatMap(({ events }) => events.map(({ event }) => (JSON.parse(event) as { count: number }).count));
  for (let count = 0; count < 100; count += 1) records.append('made', { count });
  vi.advanceTimersByTime(2000);
  expect(kept()).toEqual(Array.from({ length: 2 * MAX_PLUGIN_EVENTS }, (_, at) => at));
  records.append('made', { count: 100 });
  sent.length = 0;
  buffer.close();
  expect(kept()).toEqual(Array.from({ length: 61 }, (_, at) => 40 + at));
  expect(sent).toHaveLength(1); // the gateway takes so many notices in a second
});

it('sends notices that fit into the link, however many plugins record', () => {
  const sent: SentRecords[] = [];
  const many = Array.from({ length: 20 }, (_, at) => ({ ...manifest, id: `p${at}` }));
  const buffer = new RecordBuffer(many, (records) => void sent.push(records));
  for (const { id } of many)
    for (let count = 0; count < MAX_PLUGIN_EVENTS; count += 1)
      buffer.of(id).append('made', { text: '\u0001'.repeat(300) }); // six times as long in JSON
  buffer.of('p0').count('bytes', Number.MAX_SAFE_INTEGER);
  buffer.flush();
  for (const records of sent) {
    expect(Buffer.byteLength(JSON.stringify(validate(recordsSchema, records, 'records')))).toBeLessThan(
      LINK_LIMITS.jsonBytes,
    );
  }
  expect(sent.flatMap(({ events }) => events)).toHaveLength(20 * MAX_PLUGIN_EVENTS);
  expect(sent[0]?.counts).toEqual([{ plugin: 'p0', name: 'bytes', by: MAX_COUNT }]);
});
