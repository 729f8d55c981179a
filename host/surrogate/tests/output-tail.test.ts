import { PassThrough } from 'node:stream';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OutputTail } from '../output-tail.ts';

afterEach(() => void vi.useRealTimers());

describe('the kept output of a process', () => {
  it('has its last lines, joined from chunks', async () => {
    const stream = new PassThrough();
    const told: string[] = [];
    const tail = new OutputTail(stream, (lines) => told.push(...lines));
    for (const part of ['fir', 'st\nsec', 'ond\n', 'unfinished']) stream.write(part);
    await delay(0);
    expect(tail.lines).toEqual(['first', 'second']);
    expect(tail.all()).toEqual(['first', 'second', 'unfinished']);
    expect(told).toEqual(['first', 'second']);
    stream.write(`\n${Array.from({ length: 100 }, (_each, n) => `line ${n}\n`).join('')}`);
    await delay(0);
    expect(tail.lines).toHaveLength(30);
    expect(tail.lines.at(-1)).toBe('line 99');
  });

  it('stays small without a line end, and is read at a limited rate', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the second does not end
    const stream = new PassThrough({ highWaterMark: 64 * 1024 });
    const tail = new OutputTail(stream);
    let written = 0;
    while (written < 4 * 1024 * 1024 && stream.write(Buffer.alloc(32 * 1024, 'x'))) written += 32 * 1024;
    for (let turns = 0; turns < 100; turns++) {
      await turn();
      while (written < 4 * 1024 * 1024 && !stream.writableNeedDrain) {
        stream.write(Buffer.alloc(32 * 1024, 'x'));
        written += 32 * 1024;
      }
    }
    expect(written).toBeLessThan(1024 * 1024);
    expect(tail.all()).toEqual(['x'.repeat(500)]);
    stream.destroy();
  });
});
