import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { decodersHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import { keptCookies } from '../../base/kept-cookies.ts';
import type { Person } from '../../base/person.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { createCells } from '../cells.ts';
import type { Worker } from '../cells.ts';
import { NOTICE_TO_GATEWAY, TO_CELL } from '../protocol.ts';
import type { AsleepSession, AsleepTab } from '../protocol.ts';
import { createServices } from '../services.ts';

/** The gateway's side of cells, whose own sides a test plays. Whoever makes it closes it. */
export async function playedCells({
  sleep = async () => null,
  setUp = async () => undefined,
  ...options
}: {
  readonly maxCells: number;
  readonly goneMs: number;
  /** The record of a session that has to end. */
  readonly sleep?: () => Promise<AsleepSession | null>;
  /** Has a cell set up; `peer`: the gateway's end of its link. */
  readonly setUp?: (peer: LinkPeer) => Promise<void>;
  readonly poolSize?: number;
}): Promise<{
  readonly worker: Worker;
  /** The cells' own ends, in the order of their start. */
  readonly cells: LinkPeer[];
  close(): Promise<void>;
}> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-played-cells-'));
  const cells: LinkPeer[] = [];
  const decoders = decodersHere();
  const worker = createCells({
    start: async () => {
      const [peer, own] = linkPair();
      const exit = Promise.withResolvers<{ code: number; signal: null }>();
      own.handle(TO_CELL.begin, () => ({}));
      own.handle(TO_CELL.pair, () => ({ value: { version: 'ok' } }));
      own.handle(TO_CELL.restore, ({ params }) => {
        const { tab } = params as { readonly tab: AsleepTab }; // as the gateway makes it
        return { value: { version: 'ok', tab_id: `${tab.url} at ${tab.y}` } };
      });
      own.handle(TO_CELL.sleep, async () => ({ value: await sleep() }));
      own.handle(TO_CELL.close, () => ({}));
      cells.push(own);
      return {
        peer,
        exited: exit.promise,
        setUp: () => setUp(peer),
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
    keepMs: 1000,
    ...options,
    onFault: () => undefined,
    onRecords: () => undefined,
    log: silent,
  });
  const close = async (): Promise<void> => {
    await worker.drain('test over');
    await rm(folder, { recursive: true, force: true });
  };
  return { worker, cells, close };
}

/** A person of a network address, if one is given. */
export function somebody(subject: string, address?: string): Person {
  const person = { subject, tenant: 'default', groups: [], origin: 'http://203.0.113.1' };
  return { ...person, ...(address !== undefined && { address }) };
}

/** A cell says whether its person has a client. */
export function reportAttached(cell: LinkPeer, attached: number, more: Readonly<Record<string, number>> = {}): void {
  cell.notify(NOTICE_TO_GATEWAY.counts, {
    tabs: 1,
    attached,
    hidden: 0,
    left: 1 - attached,
    frozen: 0,
    discarded: 0,
    surrogates: 1,
    isWarm: false,
    launches: 1,
    failedLaunches: 0,
    crashes: 0,
    ...more,
  });
}
