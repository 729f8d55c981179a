import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toAppError } from '../../../core/protocol/errors.ts';
import { pairRequest } from '../../cell/tests/harness.ts';
import { keptCookies, MAX_KEPT_COOKIES_BYTES } from '../../base/kept-cookies.ts';
import type { Person } from '../../base/person.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { createCells } from '../cells.ts';
import type { Worker } from '../cells.ts';
import { NOTICE_TO_CELL, NOTICE_TO_GATEWAY, readBody, TO_CELL, TO_GATEWAY } from '../protocol.ts';
import { createServices } from '../services.ts';

/** Cells, by their own ends of the link, in the order of their start, with the ports that each has been sent last. */
interface OwnEnd {
  readonly peer: LinkPeer;
  refused: readonly number[];
  notices: number;
}

let folder: string;
let worker: Worker;
let cells: OwnEnd[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-hostile-cell-'));
  cells = [];
  worker = createCells({
    start: async () => {
      const [peer, own] = linkPair();
      const exit = Promise.withResolvers<{ code: number; signal: null }>();
      const cell: OwnEnd = { peer: own, refused: [], notices: 0 };
      own.handle(TO_CELL.begin, () => ({}));
      own.handle(TO_CELL.pair, () => ({ value: { version: 'ok' } }));
      own.handle(TO_CELL.close, () => ({}));
      own.on(NOTICE_TO_CELL.ports, (params) => {
        cell.refused = (params as { ports: number[] }).ports; // of this test
        cell.notices += 1;
      });
      cells.push(cell);
      return {
        peer,
        exited: exit.promise,
        setUp: async () => undefined,
        kill: async () => exit.resolve({ code: 0, signal: null }),
      };
    },
    policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log: silent }),
    fonts: new MachineFonts(path.join(folder, 'fonts'), silent),
    cookies: keptCookies(folder),
    services: createServices({
      starters: new Map(),
      plugins: [],
      onFault: () => undefined,
      onRecords: () => undefined,
      log: silent,
    }),
    ownPorts: [7000],
    poolSize: 0,
    maxCells: 6,
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });
});
afterEach(async () => {
  await worker.drain('test over');
  await rm(folder, { recursive: true, force: true });
});

/** Pairs a person; their cell. */
async function cellOf(subject: string): Promise<OwnEnd> {
  const person: Person = { subject, tenant: 'default', groups: [], origin: 'http://203.0.113.1' };
  await worker.pair(person, pairRequest('https://site.test/'));
  return cells.at(-1) ?? expect.unreachable('no cell was started');
}

const ports = (first: number, count: number): { ports: number[] } => ({
  ports: Array.from({ length: count }, (_, at) => first + at),
});

it('a cell that reports more ports than it may have is ended, and changes nothing of what others refuse', async () => {
  const honest = await cellOf('anna');
  honest.peer.notify(NOTICE_TO_GATEWAY.ports, ports(20_000, 2));
  const hostile = await cellOf('ben');
  const victim = await cellOf('carl');
  await expect.poll(() => victim.refused.toSorted()).toEqual([20_000, 20_001, 7000]);
  hostile.peer.notify(NOTICE_TO_GATEWAY.ports, ports(1, 17));
  await expect.poll(() => hostile.peer.closed.aborted).toBe(true);
  expect(victim.refused.toSorted()).toEqual([20_000, 20_001, 7000]);
  expect((await cellOf('dora')).refused.toSorted()).toEqual([20_000, 20_001, 7000]);
});

it('a flood of changed ports reaches the other cells as few notices', async () => {
  const victim = await cellOf('anna');
  const hostile = await cellOf('ben');
  const before = victim.notices;
  for (let round = 0; round < 2000; round += 1) hostile.peer.notify(NOTICE_TO_GATEWAY.ports, ports(1000 + round, 1));
  await expect.poll(() => victim.refused).toContain(2999);
  expect(victim.notices - before).toBeLessThan(200);
});

it('cookies are bytes that the gateway does not read, within a bound, and one write at a time', async () => {
  const { peer } = await cellOf('anna');
  const keep = (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown> =>
    peer.call(TO_GATEWAY.keepCookies, null, { body });
  await keep(Buffer.from('not JSON'));
  const { body } = await peer.call(TO_GATEWAY.findCookies, null);
  expect(String(await readBody(body, 100))).toBe('not JSON');
  await expect(keep(Buffer.alloc(MAX_KEPT_COOKIES_BYTES + 1))).rejects.toMatchObject({ code: 'link-too-large' });

  const end = Promise.withResolvers<undefined>();
  const first = keep(
    (async function* () {
      yield Buffer.from('[]');
      await end.promise;
    })(),
  );
  const others = await Promise.all(
    Array.from({ length: 20 }, () =>
      keep(Buffer.from('[]')).then(
        () => 'kept',
        (thrown: unknown) => toAppError(thrown).code,
      ),
    ),
  );
  expect(new Set(others)).toEqual(new Set(['cookies-busy']));
  end.resolve(undefined);
  await first;
  await keep(Buffer.from('[1]'));
});
