import { expect, it } from 'vitest';
import { linkPair } from '../../link/tests/memory.ts';
import { NOTICE_TO_GATEWAY } from '../protocol.ts';
import { takeReports } from '../reports.ts';

it('a flood of lines from a cell is cut off, and hides no fault', async () => {
  const [gateway, cell] = linkPair();
  const [lines, faults]: [string[], string[]] = [[], []];
  const line = (message: string): void => void lines.push(message);
  takeReports(gateway, {
    log: { debug: line, info: line, warn: line, error: line },
    onFault: (from, code) => faults.push(`${from} ${code}`),
    onRecords: () => undefined,
  });
  for (let count = 0; count < 2000; count += 1) cell.notify(NOTICE_TO_GATEWAY.log, { level: 'info', message: 'line' });
  cell.notify(NOTICE_TO_GATEWAY.fault, { from: 'plugin', code: 'plugin-flood' });
  await expect.poll(() => faults).toEqual(['plugin plugin-flood']);
  expect(lines.length).toBeLessThan(1500);
  expect(lines).toContain('notices of a cell are dropped for the rest of this second');
  cell.close('test over');
});

it('takes few notices with records in a second, and none of another shape', async () => {
  const [gateway, cell] = linkPair();
  const records: unknown[] = [];
  const ignore = (): void => undefined;
  takeReports(gateway, {
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    onFault: ignore,
    onRecords: (sent) => records.push(sent),
  });
  const sent = { counts: [{ plugin: 'print', name: 'documents', by: 1 }], events: [], dropped: [] };
  for (let count = 0; count < 500; count += 1) cell.notify(NOTICE_TO_GATEWAY.records, sent);
  await expect.poll(() => records.length).toBeGreaterThan(0);
  await cell.ping(5000);
  expect(records.length).toBeLessThan(100);
  expect(records[0]).toEqual(sent);
  cell.notify(NOTICE_TO_GATEWAY.records, {
    counts: [{ plugin: 'print', name: 'documents', by: -1 }],
    events: [],
    dropped: [],
  });
  await cell.ping(5000);
  expect(records).not.toContainEqual(expect.objectContaining({ counts: [expect.objectContaining({ by: -1 })] }));
  cell.close('test over');
});
