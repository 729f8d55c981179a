import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { untilHeld } from '../../../core/testing/until-held.ts';
import { memorySocketPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPeer } from '../../link/peer.ts';
import type { BrowserProcess } from '../cell-processes.ts';
import type { BrowserRequest } from '../control-messages.ts';
import type { StartedCell } from '../cell-process.ts';
import { NOTICE_TO_CELL, TO_CELL, TO_GATEWAY } from '../protocol.ts';
import type { CellSettings } from '../protocol.ts';
import { cellStarter } from '../start-cell.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

it('ends a browser that was prepared too late for its cell, which may have another', async () => {
  const [near, far] = memorySocketPair();
  const prepared: ((browser: BrowserProcess) => void)[] = [];
  const killed: string[] = [];
  const never = new Promise<never>(() => undefined);
  const start = cellStarter({
    processes: {
      startCell: async () => ({
        id: 'cell-1',
        pid: 1,
        socket: near, // the link takes any stream
        exited: never,
        stderr: [],
        kill: () => Promise.resolve(),
      }),
      startBrowser: () => new Promise((resolve) => prepared.push(resolve)),
      killBrowser: async ({ id }) => void killed.push(id),
    },
    settings: {} as never, // not set up
    plugins: [],
    log: console,
  });
  await start();
  const cell = linkPeer(far);
  const browser = (id: string): BrowserProcess => ({ id, socketPath: '/s', started: never, exited: never, stderr: [] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const request = { proxyPort: 9, scale: 1 };
  const late = cell.call(TO_GATEWAY.startBrowser, request, { deadlineMs: 20 });
  const failed = expect(late).rejects.toMatchObject({ code: 'link-timeout' });
  await untilHeld(() => prepared.length > 0);
  await vi.advanceTimersByTimeAsync(20);
  await failed;
  vi.useRealTimers();
  await cell.ping(PATIENCE_MS);
  prepared[0]?.(browser('late'));
  await expect.poll(() => killed).toEqual(['late']);

  const asked = cell.call(TO_GATEWAY.startBrowser, request);
  await expect.poll(() => prepared.length).toBe(2);
  prepared[1]?.(browser('next'));
  expect((await asked).value).toEqual({ id: 'next', socketPath: '/s' });
  cell.close('done');
  expect(killed).toEqual(['late']);
});

it('[S-042] starts browsers with the scale of their display, those of later cells with the usual one', async () => {
  const never = new Promise<never>(() => undefined);
  const sockets: Duplex[] = [];
  const asked: BrowserRequest[] = [];
  const start = cellStarter({
    processes: {
      startCell: async () => {
        const [near, far] = memorySocketPair();
        sockets.push(far);
        return { id: 'cell', pid: 1, socket: near, exited: never, stderr: [], kill: () => Promise.resolve() };
      },
      startBrowser: async (_cell, request) => {
        asked.push(request);
        return { id: 'browser', socketPath: '/s', started: never, exited: never, stderr: [] };
      },
      killBrowser: () => Promise.resolve(),
    },
    settings: {} as never, // no cell reads them
    plugins: [],
    log: console,
  });
  const scales: unknown[] = [];
  const begun = async (): Promise<{ cell: LinkPeer; started: StartedCell }> => {
    const started = await start();
    const cell = linkPeer(sockets.pop()!);
    cell.handle(TO_CELL.setUp, ({ params }) => {
      scales.push((params as CellSettings).scale);
      return Promise.resolve({});
    });
    await started.setUp();
    return { cell, started };
  };
  const { cell, started } = await begun();
  for (const scale of [1, 1.25]) await cell.call(TO_GATEWAY.startBrowser, { proxyPort: 9, scale });
  expect(asked.map(({ extraArgs }) => extraArgs)).toEqual([[], ['--force-device-scale-factor=1.25']]);
  await expect(cell.call(TO_GATEWAY.startBrowser, { proxyPort: 9, scale: 0 })).rejects.toThrow();
  started.learnScale?.(2);
  const later = await begun();
  expect(scales).toEqual([1, 2]);
  for (const peer of [cell, later.cell]) peer.close('done');
});

it('counts the memory of a browser, and ends it, as long as it runs', async () => {
  const [near, far] = memorySocketPair();
  const never = new Promise<never>(() => undefined);
  const exit = Promise.withResolvers<{ code: number; signal: null }>();
  const start = cellStarter({
    processes: {
      startCell: async () => ({
        id: 'cell',
        pid: -1, // of no process
        socket: near,
        exited: never,
        stderr: [],
        kill: () => Promise.resolve(),
      }),
      startBrowser: async () => ({
        id: 'browser',
        socketPath: '/s',
        started: Promise.resolve(process.pid),
        exited: exit.promise,
        stderr: [],
      }),
      killBrowser: () => Promise.resolve(),
    },
    settings: {} as never, // not set up
    plugins: [],
    log: console,
  });
  const started = await start();
  const cell = linkPeer(far);
  const exits: unknown[] = [];
  cell.on(NOTICE_TO_CELL.browserExited, (params) => void exits.push(params));
  await cell.call(TO_GATEWAY.startBrowser, { proxyPort: 9, scale: 1 });
  expect(await started.bytes?.()).toBeGreaterThan(0);
  exit.resolve({ code: 0, signal: null });
  await expect.poll(() => exits).toEqual([{ id: 'browser', code: 0, signal: null, stderr: [] }]);
  expect(await started.bytes?.()).toBe(0);
  await expect(cell.call(TO_GATEWAY.killBrowser, { id: 'browser' })).rejects.toMatchObject({ code: 'browser-gone' });
  cell.close('done');
});
