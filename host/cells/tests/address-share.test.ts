import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pairRequest } from '../../cell/tests/harness.ts';
import { decodersHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import { keptCookies } from '../../base/kept-cookies.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import type { Person } from '../../base/person.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { createCells } from '../cells.ts';
import type { Worker } from '../cells.ts';
import { NOTICE_TO_GATEWAY, TO_CELL } from '../protocol.ts';
import { createServices } from '../services.ts';

const MAX_CELLS = 6;

let folder: string;
let worker: Worker;
/** The cells' own ends, in the order of their start. */
let cells: LinkPeer[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-share-'));
  cells = [];
  const decoders = decodersHere();
  worker = createCells({
    start: async () => {
      const [peer, own] = linkPair();
      const exit = Promise.withResolvers<{ code: number; signal: null }>();
      own.handle(TO_CELL.begin, () => ({}));
      own.handle(TO_CELL.pair, () => ({ value: { version: 'ok' } }));
      own.handle(TO_CELL.close, () => ({}));
      cells.push(own);
      return {
        peer,
        exited: exit.promise,
        setUp: async () => undefined,
        kill: async () => exit.resolve({ code: 0, signal: null }),
      };
    },
    policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log: silent }),
    fonts: new MachineFonts(path.join(folder, 'fonts'), decoders.cutFont, silent),
    cookies: keptCookies(folder),
    decoders,
    services: createServices({
      starters: new Map(),
      plugins: [],
      onFault: () => undefined,
      onRecords: () => undefined,
      log: silent,
    }),
    poolSize: 0,
    maxCells: MAX_CELLS,
    goneMs: 1,
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });
});
afterEach(async () => {
  await worker.drain('test over');
  await rm(folder, { recursive: true, force: true });
});

let people = 0;
/** Pairs a person whom nobody knows yet. */
async function pairOne(address?: string): Promise<unknown> {
  const person: Person = {
    subject: `person-${++people}`,
    tenant: 'default',
    groups: [],
    origin: 'http://203.0.113.1',
    ...(address !== undefined && { address }),
  };
  return worker.pair(person, pairRequest('https://site.test/')).catch((thrown: unknown) => thrown);
}

/** A cell says whether its person has a client. */
const report = (cell: LinkPeer, attached: number): void =>
  cell.notify(NOTICE_TO_GATEWAY.counts, {
    tabs: 1,
    attached,
    surrogates: 1,
    isWarm: false,
    launches: 1,
    failedLaunches: 0,
    crashes: 0,
  });

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
