import { afterEach, beforeEach, expect, it } from 'vitest';
import { pairRequest } from '../../cell/tests/harness.ts';
import type { LinkPeer } from '../../link/api.ts';
import type { Worker } from '../cells.ts';
import { playedCells, reportAttached as report, somebody } from './played-cells.ts';

const MAX_CELLS = 6;

let worker: Worker;
/** The cells' own ends, in the order of their start. */
let cells: LinkPeer[];
let close: () => Promise<void>;
beforeEach(async () => {
  ({ worker, cells, close } = await playedCells({ maxCells: MAX_CELLS, goneMs: 1 }));
});
afterEach(() => close());

let people = 0;
/** Pairs a person whom nobody knows yet. */
async function pairOne(address?: string): Promise<unknown> {
  const person = somebody(`person-${++people}`, address);
  return worker.pair(person, pairRequest('https://site.test/')).catch((thrown: unknown) => thrown);
}

it('[M4] one network address never has all cells; others, and this machine itself, have the rest', async () => {
  for (let count = 0; count < MAX_CELLS / 2; count += 1) {
    expect(await pairOne('203.0.113.7')).toEqual({ version: 'ok' });
    report(cells.at(-1)!, 1);
  }
  await expect.poll(() => worker.counts().attached).toBe(MAX_CELLS / 2);
  expect(await pairOne('203.0.113.7')).toMatchObject({
    code: 'address-share',
    retryable: true,
    data: { retryAfterS: 10 },
  });
  expect(await pairOne('2001:db8::')).toEqual({ version: 'ok' });
  expect(await pairOne()).toEqual({ version: 'ok' });
  expect(await pairOne()).toEqual({ version: 'ok' });
  expect(worker.counts().cells).toBe(MAX_CELLS);
});

it('[M4] makes room for another person of an address by its own sessions that nobody uses, never by those of others', async () => {
  expect(await pairOne('198.51.100.1')).toEqual({ version: 'ok' });
  for (let count = 0; count < MAX_CELLS / 2; count += 1)
    expect(await pairOne('203.0.113.7')).toEqual({ version: 'ok' });
  for (const cell of cells.slice(1)) report(cell, 1);
  await expect.poll(() => worker.counts().attached).toBe(MAX_CELLS / 2);
  expect(await pairOne('203.0.113.7')).toMatchObject({ code: 'address-share' });
  report(cells[1]!, 0);
  await expect.poll(() => pairOne('203.0.113.7')).toEqual({ version: 'ok' });
  await expect.poll(() => worker.counts()).toMatchObject({ sessions: 1 + MAX_CELLS / 2 });
  expect(cells[0]?.closed.aborted).toBe(false);
});
