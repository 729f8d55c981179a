import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { untilHeld } from '../../../core/testing/until-held.ts';
import { pairRequest } from '../../cell/tests/harness.ts';
import type { LinkPeer } from '../../link/api.ts';
import { WaitingPeople } from '../waiting-people.ts';
import { playedCells, reportAttached, somebody } from './played-cells.ts';

const FULL = { error: 'global_pool_depleted' };
const OK = { version: 'ok' };
const request = pairRequest('https://site.test/');

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
});
async function people(options: Parameters<typeof playedCells>[0]) {
  const played = await playedCells(options);
  ({ close } = played);
  const comes = (name: string): Promise<unknown> => played.worker.pair(somebody(name), request);
  const waits = (name: string) => played.worker.waiting(somebody(name));
  return { ...played, comes, waits };
}

it('[S-058] lets people in who wait in the order in which they have come, and nobody before them', async () => {
  const { worker, cells, comes, waits } = await people({ maxCells: 2, goneMs: 60_000 });
  for (const [n, name] of ['a', 'b'].entries()) {
    expect(await comes(name)).toEqual(OK);
    reportAttached(cells[n]!, 1);
  }
  expect(await comes('first')).toEqual(FULL);
  expect(await waits('second')).toEqual({ reason: 'full', place: 2 });
  expect(await waits('first')).toEqual({ reason: 'full', place: 1 });
  expect(await waits('a')).toBeUndefined();
  expect(worker.counts().waiting).toBe(2);
  cells[0]!.close('gone');
  await expect.poll(() => waits('first')).toBeUndefined();
  expect(await waits('second')).toEqual({ reason: 'full', place: 2 });
  expect(await comes('third')).toEqual(FULL);
  expect(await comes('second')).toEqual(FULL);
  expect(await comes('first')).toEqual(OK);
  expect(await waits('second')).toEqual({ reason: 'full', place: 1 });
  expect(worker.counts()).toMatchObject({ waiting: 2, sessions: 2 });
});

it('takes the cell of the person who left first, and of nobody who has left just now', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { worker, cells, comes } = await people({ maxCells: 3, goneMs: 2000 });
  const slept: number[] = [];
  for (const [n, name] of ['a', 'b', 'c'].entries()) {
    expect(await comes(name)).toEqual(OK);
    reportAttached(cells[n]!, 1);
  }
  for (const [n, cell] of cells.entries()) cell.closed.addEventListener('abort', () => slept.push(n));
  await expect.poll(() => worker.counts().attached).toBe(3);
  const abandoned = (count: number): Promise<void> => untilHeld(() => worker.counts().abandoned === count);
  reportAttached(cells[1]!, 0);
  await abandoned(1);
  vi.advanceTimersByTime(1000);
  reportAttached(cells[0]!, 0);
  await abandoned(2);
  vi.advanceTimersByTime(1000);
  expect(await comes('d')).toEqual(FULL);
  expect(await comes('d')).toEqual(FULL); // nobody makes room
  vi.advanceTimersByTime(1);
  await expect.poll(() => comes('d'), { interval: 50 }).toEqual(OK);
  expect(slept).toEqual([1]);
  expect(worker.counts()).toMatchObject({ sessions: 3 });
});

it('[S-115] counts from when a person has left, whatever their cell reports after that', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { worker, cells, comes } = await people({ maxCells: 2, goneMs: 2000 });
  for (const name of ['a', 'b']) expect(await comes(name)).toEqual(OK);
  reportAttached(cells[0]!, 1);
  reportAttached(cells[1]!, 0);
  await untilHeld(() => worker.counts().attached === 1);
  vi.advanceTimersByTime(1000);
  reportAttached(cells[1]!, 0, { frozen: 1 });
  await untilHeld(() => worker.counts().frozen === 1);
  vi.advanceTimersByTime(1001);
  expect(await comes('c')).toEqual(FULL); // the cell of b ends for it
  await untilHeld(() => worker.counts().cells === 1);
  expect(await comes('c')).toEqual(OK);
});

it('[S-115] gives no cell that was started in advance to two people, and starts another for each', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { worker, cells, comes } = await people({ maxCells: 9, goneMs: 60_000, poolSize: 1 });
  for (const [n, name] of ['a', 'b', 'c'].entries()) {
    await untilHeld(() => cells.length === n + 1 && worker.counts().cells === n + 1);
    await new Promise((resolve) => setImmediate(resolve)); // it waits now
    expect(await comes(name)).toEqual(OK);
    expect(worker.counts()).toMatchObject({ sessions: n + 1, cells: n + 1 });
    vi.advanceTimersByTime(1500);
  }
});

it('[S-115] makes room for one person after the other', async () => {
  const { worker, comes } = await people({ maxCells: 1, goneMs: 0 });
  expect(await comes('a')).toEqual(OK);
  for (const name of ['b', 'c', 'd']) {
    expect(await comes(name)).toEqual(FULL);
    await expect.poll(() => worker.counts().cells).toBe(0);
    expect(await comes(name)).toEqual(OK);
  }
});

it('gives nobody a cell that has ended in the moment in which it was set up', async () => {
  let isFirst = true;
  const setUp = async (peer: LinkPeer): Promise<void> => {
    if (isFirst) peer.close('gone');
    isFirst = false;
  };
  const { worker, comes } = await people({ maxCells: 2, goneMs: 60_000, poolSize: 1, setUp });
  await untilHeld(() => !isFirst && worker.counts().cells === 0);
  await new Promise((resolve) => setImmediate(resolve)); // the pool hears of its end
  expect(await comes('a')).toEqual(OK);
});

it('[S-115] finds the tab of a person who comes back while their session makes room for another', async () => {
  const tab = { safeRid: 'r'.repeat(44), url: 'https://site.test/kept', x: 0, y: 77 };
  const asked = Promise.withResolvers<undefined>();
  const kept = Promise.withResolvers<{ cid: string; tabs: (typeof tab)[] }>();
  const sleep = () => (asked.resolve(undefined), kept.promise);
  const { worker, cells, comes } = await people({ maxCells: 3, goneMs: 0, sleep });
  for (const name of ['a', 'b', 'd']) expect(await comes(name)).toEqual(OK);
  expect(await comes('c')).toEqual(FULL);
  await asked.promise;
  const back = worker.repair(somebody('a'), 'cid-a', { ...request, hid: '1', safe_rid: tab.safeRid, tab_id: 't' });
  for (const cell of cells.slice(1)) cell.close('gone'); // there is room for more than the one who waits
  await expect.poll(() => worker.counts().cells).toBe(1);
  kept.resolve({ cid: 'cid-a', tabs: [tab] });
  expect((await back).tab_id).toBe('https://site.test/kept at 77');
});

it('bounds how many people wait', async () => {
  const { waits, comes, worker } = await people({ maxCells: 1, goneMs: 60_000 });
  expect(await comes('a')).toEqual(OK);
  for (let n = 0; n < 1010; n += 1) await waits(`w${n}`);
  expect(worker.counts().waiting).toBe(1000);
  expect(await waits('late')).toEqual({ reason: 'full', place: 1001 });
});

it('gives the places of people who do not ask again, or have a cell, to those behind them', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const waiting = new WaitingPeople();
    for (const name of ['a', 'b', 'c']) waiting.join(name, undefined);
    vi.advanceTimersByTime(8000);
    for (const name of ['b', 'c']) waiting.join(name, undefined);
    expect(waiting.ahead('c')).toBe(2);
    vi.advanceTimersByTime(8000);
    expect(waiting.ahead('c')).toBe(1);
    waiting.leave('b');
    expect(waiting.ahead('c')).toBe(0);
    for (let n = 0; n < 60; n += 1) waiting.join(`one address ${n}`, '203.0.113.7');
    expect(waiting.size).toBe(51);
  } finally {
    vi.useRealTimers();
  }
});
