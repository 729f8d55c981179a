import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LaunchedExit } from '../control-messages.ts';
import { listenOnce } from '../handover.ts';
import { LaunchedProcess } from '../launched-process.ts';

const DEADLINE_MS = 20_000;
/** More than one argument may have (MAX_ARG_STRLEN of Linux). */
const TOO_LONG = 'x'.repeat(256 * 1024);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-launched-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('leaves no folder where the socket cannot be given to who connects', async () => {
  const nobody = 2 ** 40; // no user has such a number
  await expect(listenOnce(folder, { uid: nobody, gid: nobody }, DEADLINE_MS)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it('reports the end of a process whose command line is too long to be started', async () => {
  const handover = await listenOnce(folder, undefined, DEADLINE_MS);
  const exits: [LaunchedExit, readonly string[]][] = [];
  const launched = new LaunchedProcess(
    {
      wiring: 'cell',
      command: ['true', TOO_LONG],
      env: {},
      cwd: folder,
      user: undefined,
      placement: { cgroups: [], oomScoreAdj: 0, members: () => [], oomKills: () => 0, close: () => Promise.resolve() },
      handover,
    },
    { started: () => undefined, output: () => undefined, exited: (...exit) => void exits.push(exit) },
  );
  const client = net.connect(handover.socketPath);
  const closed = new Promise((resolve) => void client.once('close', resolve));
  client.on('error', () => undefined).resume();
  await launched.ended;
  expect(exits).toEqual([[{ code: null, signal: null, reason: 'failed' }, [expect.stringContaining('E2BIG')]]]);
  expect(launched.isOver).toBe(true);
  await closed;
  expect(readdirSync(folder)).toEqual([]);
});
