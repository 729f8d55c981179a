import { expect, it } from 'vitest';
import type { LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { NOTICE_TO_GATEWAY } from '../protocol.ts';
import { lineShares, takeReports } from '../reports.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

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
  expect(lines.length).toBeLessThan(250); // over some seconds, where the machine is slow
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
  await cell.ping(PATIENCE_MS);
  expect(records.length).toBeLessThan(100);
  expect(records[0]).toEqual(sent);
  cell.notify(NOTICE_TO_GATEWAY.records, {
    counts: [{ plugin: 'print', name: 'documents', by: -1 }],
    events: [],
    dropped: [],
  });
  await cell.ping(PATIENCE_MS);
  expect(records).not.toContainEqual(expect.objectContaining({ counts: [expect.objectContaining({ by: -1 })] }));
  cell.close('test over');
});

it('lines have a share for each person over time, and one that is used up is told once', async () => {
  const mayLog = lineShares();
  const lines: string[] = [];
  const faults: string[] = [];
  const line = (message: string): void => void lines.push(message);
  const reported = (): LinkPeer => {
    const [gateway, cell] = linkPair();
    takeReports(gateway, {
      log: { debug: line, info: line, warn: line, error: line },
      onFault: (from, code) => faults.push(`${from} ${code}`),
      onRecords: () => undefined,
      mayLog: (bytes) => mayLog('anna', bytes),
    });
    return cell;
  };
  const send = async (cell: LinkPeer, level: string): Promise<void> => {
    for (let count = 0; count < 40; count += 1)
      cell.notify(NOTICE_TO_GATEWAY.log, { level, message: level, data: { text: 'x'.repeat(20_000) } });
    await cell.ping(PATIENCE_MS);
  };
  const cells = [reported(), reported()];
  for (const cell of cells) for (const level of ['info', 'warn']) await send(cell, level);
  expect(lines.filter((each) => each === 'info' || each === 'warn').length).toBeLessThan(60);
  expect(lines.filter((each) => each.startsWith('lines of a cell are dropped'))).toHaveLength(2); // of each cell
  expect(faults).toContain('host lines-dropped');
  expect(mayLog('ben', 1000)).toBe(true);
  // Lines that only an operator sees who looks for them are not counted.
  lines.length = 0;
  await send(cells[0]!, 'debug');
  expect(lines).toHaveLength(40);
  for (const cell of cells) cell.close('test over');
});
