import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import type { TrayProps } from '../client/tray.tsx';
import { manifest } from '../manifest.ts';
import { CANCEL, downloadCancelled, downloadRequested, downloadRestoreProg } from '../protocol.ts';
import { list, person, played } from './played-list.ts';
import { RECORD } from './record.ts';

/** As the policy of the played list has it. */
const MOST = 2 * 1024 * 1024;

beforeEach(() => {
  person.isActing = true;
});
afterEach(() => void vi.unstubAllGlobals());

it('[M-040] the reasons of a cancel are 1 by the person, 2 for the size', () => {
  expect([CANCEL.user, CANCEL.tooLarge]).toEqual([1, 2]);
});

it('[M-040] one of just the size that the policy allows arrives, by what the site says and by its bytes', async () => {
  const { list: downloads, heard } = list();
  const { download, progress, complete } = played();
  const taken = downloads.take(download);
  await expect.poll(() => heard.length).toBe(2);
  progress(0, MOST);
  progress(MOST);
  complete('whole');
  await taken;
  expect(heard.at(-1)?.slice(0, 4)).toEqual(['T', 'updated', 1, 'finished']);
});

it('[M-040] one whose site says no size, or a smaller one, is ended by its first byte past it', async () => {
  for (const total of [undefined, 5]) {
    const { list: downloads, heard, file } = list();
    const { download, progress, complete, calls } = played();
    const taken = downloads.take(download);
    await expect.poll(() => heard.length).toBe(2);
    progress(MOST + 1, total);
    expect(calls).toEqual(['cancel']);
    complete('', 'canceled');
    await taken;
    expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.tooLarge, 2]);
    expect(file.state).toEqual({ is: 'failed', reason: 'too-large' });
  }
});

it('[M-040] the tray says which size is allowed, after a reload too, and offers to begin none of these again', async () => {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const { client, host, flush, overlay } = pluginHarness(manifest);
  await activate(client);
  const ended = { reason: CANCEL.tooLarge, most: 2 };
  host.commands.send(downloadRequested, RECORD);
  host.commands.send(downloadCancelled, { id: 1, ...ended });
  const restored = { ...RECORD, id: 2, ...ended, status: 'cancelled', saved: false, scanned: false } as const;
  host.commands.send(downloadRestoreProg, restored);
  await flush();
  const { transfers } = overlay.filled[0]?.props as TrayProps;
  const rows = transfers.rows().map(({ id, state, reason, most, retry }) => ({ id, state, reason, most, retry }));
  const row = { state: 'blocked', reason: 'downloads.too-large', most: 2, retry: undefined };
  expect(rows).toEqual([
    { id: 2, ...row },
    { id: 1, ...row },
  ]);
});
