import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { cancelDownload, dlResume, downloadIgnored, downloadRequested, downloadStatusUpdated } from '../protocol.ts';
import { RECORD } from './record.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {}); // its storage is forbidden
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('[M-006] asks for the passwords of encrypted files, and cancels those whose password the person does not say', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ action: 'preq', attempt: 1 })));
  const { client, host, flush, overlay, disposeClient } = pluginHarness(manifest);
  const heard: [string, unknown][] = [];
  for (const each of [dlResume, cancelDownload])
    host.commands.handle(each, (params) => void heard.push([each.name, params]));
  await activate(client);
  for (const id of [1, 2, 3]) {
    host.commands.send(downloadRequested, { ...RECORD, id, filename: `${id}.zip` });
    host.commands.send(downloadStatusUpdated, { id, status: 'finished', received: 1 });
  }
  await flush();
  await vi.advanceTimersByTimeAsync(0);
  const asked = overlay.asked.map(({ slot, props, answer }) => ({ slot, props, answer }));
  expect(asked).toMatchObject(
    ['1.zip', '2.zip', '3.zip'].map((filename) => ({
      slot: 'downloads.password',
      props: { filename, isAgain: false },
    })),
  );
  for (const [at, answer] of ['secret', null, undefined].entries()) asked[at]?.answer(answer);
  await flush();
  expect(heard).toEqual([
    ['dl-resume', { id: 1, password: 'secret' }],
    ['cancel-download', { id: 2 }],
    ['cancel-download', { id: 3 }],
  ]);
  disposeClient();
});

it('[M-006] says of one file at a time that downloads are off', async () => {
  const { client, host, flush, overlay, disposeClient } = pluginHarness(manifest);
  await activate(client);
  const asked = async (filename: string): Promise<unknown[]> => {
    host.commands.send(downloadIgnored, { filename, site: 'site.test' });
    await flush();
    return overlay.asked.map(({ slot, props }) => ({ slot, ...props }));
  };
  const first = [expect.objectContaining({ slot: 'downloads.refused', filename: 'a.txt', site: 'site.test' })];
  expect(await asked('a.txt')).toEqual(first);
  expect(await asked('b.txt')).toEqual(first);
  overlay.asked[0]?.answer(true);
  await flush();
  expect(await asked('c.txt')).toEqual([expect.objectContaining({ filename: 'c.txt' })]);
  disposeClient();
});
