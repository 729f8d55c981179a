import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_EVENTS, EVENT_LOG_LIMITS, openEventLog } from '../event-log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-events-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const fail = (error: unknown): never => {
  throw error;
};
const lines = (name: string): unknown[] =>
  readFileSync(path.join(dir, 'events', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('the event log', () => {
  it('keeps events as lines of JSON, in order, for the host alone', async () => {
    const log = openEventLog(dir, CLIENT_EVENTS, fail);
    for (let n = 0; n < 100; n += 1) log.append({ n, text: 'two\nlines' });
    await log.flush();
    expect(lines('events.jsonl')).toEqual(Array.from({ length: 100 }, (_, n) => ({ n, text: 'two\nlines' })));
    expect(statSync(path.join(dir, 'events', 'events.jsonl')).mode & 0o077).toBe(0);
  });

  it('rotates full files, and keeps a maximum number', async () => {
    const log = openEventLog(dir, CLIENT_EVENTS, fail, { ...EVENT_LOG_LIMITS, maxFileBytes: 100, maxFiles: 3 });
    for (let n = 0; n < 10; n += 1) {
      log.append({ n, filler: 'x'.repeat(90) });
      await log.flush();
    }
    expect(readdirSync(path.join(dir, 'events')).sort()).toEqual(['events.jsonl', 'events.jsonl.1', 'events.jsonl.2']);
    expect(['events.jsonl', 'events.jsonl.1', 'events.jsonl.2'].flatMap(lines)).toMatchObject([
      { n: 9 },
      { n: 8 },
      { n: 7 },
    ]);
  });

  it('drops and counts events when the queue is full or the disk fails', async () => {
    const log = openEventLog(dir, CLIENT_EVENTS, fail, { ...EVENT_LOG_LIMITS, maxQueuedBytes: 30 });
    for (let n = 0; n < 10; n += 1) log.append({ n, filler: 'x' });
    expect(log.dropped).toBe(9);
    await log.flush();

    for (let n = 0; n < 3; n += 1) {
      log.append({ n, filler: 'x' });
      await log.flush();
    }
    expect(log.dropped).toBe(9);

    const faults: unknown[] = [];
    const file = path.join(dir, 'file');
    writeFileSync(file, '');
    const broken = openEventLog(file, CLIENT_EVENTS, (error) => void faults.push(error));
    broken.append({ n: 1 });
    await broken.flush();
    expect(faults).toHaveLength(1);
  });

  it('writes what is appended in the moment in which the events before are done', async () => {
    const current = path.join(dir, 'events', 'events.jsonl');
    mkdirSync(current, { recursive: true });
    const log = openEventLog(dir, CLIENT_EVENTS, () => {
      rmdirSync(current);
      queueMicrotask(() => log.append({ n: 2 }));
    });
    log.append({ n: 1 });
    await log.flush();
    expect(lines('events.jsonl')).toEqual([{ n: 2 }]);
    expect(log.dropped).toBe(1);
  });
});
