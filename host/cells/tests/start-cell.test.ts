import { expect, it, onTestFinished, vi } from 'vitest';
import { untilHeld } from '../../../core/testing/until-held.ts';
import { memorySocketPair } from '../../link/tests/memory.ts';
import { linkPeer } from '../../link/peer.ts';
import type { BrowserProcess } from '../cell-processes.ts';
import { TO_GATEWAY } from '../protocol.ts';
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
  const late = cell.call(TO_GATEWAY.startBrowser, { proxyPort: 9 }, { deadlineMs: 20 });
  const failed = expect(late).rejects.toMatchObject({ code: 'link-timeout' });
  await untilHeld(() => prepared.length > 0);
  await vi.advanceTimersByTimeAsync(20);
  await failed;
  vi.useRealTimers();
  await cell.ping(PATIENCE_MS);
  prepared[0]?.(browser('late'));
  await expect.poll(() => killed).toEqual(['late']);

  const asked = cell.call(TO_GATEWAY.startBrowser, { proxyPort: 9 });
  await expect.poll(() => prepared.length).toBe(2);
  prepared[1]?.(browser('next'));
  expect((await asked).value).toEqual({ id: 'next', socketPath: '/s' });
  cell.close('done');
  expect(killed).toEqual(['late']);
});
