import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { testAccess } from '../../../core/testing/host-access.ts';
import { testRecords } from '../../../core/testing/records.ts';
import type { SessionTab } from '../../../host/plugin.ts';
import { DownloadList } from '../host/download-list.ts';
import { wholeDownload } from '../host/whole-download.ts';
import { manifest } from '../manifest.ts';
import { PlayedFile } from './played-file.ts';

const FRAME = 'https://inner.test/form';
const SAVED = { name: 'p.png', url: 'https://pictures.test/p.png', bytes: Buffer.from('abc'), addresses: [FRAME] };
const TAB = {
  id: 'T',
  url: () => 'https://site.test/page',
  gesture: { isActive: () => false },
} as unknown as SessionTab; // all that is used of it

/** Takes the file; what the tab hears of it, and how much has been kept. `refusing`: a site whose policy allows no downloads. */
async function take(refusing = '') {
  const file = new PlayedFile();
  const made = new DownloadList({
    desk: () => ({ begin: () => Promise.resolve(file), limitOf: () => undefined }),
    policyOf: (_tab, addresses) => ({
      downloads: addresses.every((address) => new URL(address).host !== refusing),
      max_download_megabytes: 2,
      keep_minutes: 5,
    }),
    firstOf: () => Promise.reject(new Error('nobody asks for it')),
    tabs: () => [TAB],
    records: testAccess(manifest).records,
    log: testRecords().log,
  });
  const heard: unknown[][] = [];
  const hear =
    (name: string) =>
    (...facts: unknown[]) =>
      void heard.push([name, ...facts]);
  made.attach('T', {
    requested: hear('requested'),
    updated: hear('updated'),
    cancelled: hear('cancelled'),
    ignored: hear('ignored'),
    failed: hear('failed'),
    restored: hear('restored'),
    again: async () => undefined,
  });
  await made.take(wholeDownload(TAB, SAVED), SAVED.addresses);
  return { heard, size: file.size };
}

it('a file that the person saves from a page is a download that they have asked for', async () => {
  const { heard, size } = await take();
  expect(size).toBe(3);
  expect(heard[0]?.slice(0, 2)).toMatchObject(['requested', { uri: SAVED.url, asked: true, received: 3, total: 3 }]);
  expect(heard.at(-1)).toEqual(['updated', 1, 'finished', { received: 3, total: 3 }]);
});

it('its bytes are given once, and are not kept with the list', async () => {
  const download = wholeDownload(TAB, SAVED);
  expect(await buffer(download.bytes())).toHaveLength(3);
  expect(await buffer(download.bytes())).toHaveLength(0);
  const removed = wholeDownload(TAB, SAVED);
  await removed.remove();
  expect(await buffer(removed.bytes())).toHaveLength(0);
});

it.each(['site.test', 'inner.test', 'pictures.test'])('it is refused where %s allows none', async (refusing) => {
  const { heard, size } = await take(refusing);
  expect(heard).toEqual([['ignored', 'p.png', refusing]]);
  expect(size).toBe(0);
});
