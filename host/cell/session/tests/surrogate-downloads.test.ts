import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../../../core/protocol/errors.ts';
import type { SessionTab } from '../../../contracts/session-scope.ts';
import type { SurrogateDownload } from '../../../contracts/surrogate-files.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { SurrogateDownloads } from '../surrogate-downloads.ts';

const GUID = '0b1c2d3e-0000-4000-8000-00000000000';
const TAB = { id: 'T' } as unknown as SessionTab; // all that is used of it

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-downloads-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The root session of a browser, and what it was sent. */
function browser() {
  const listeners = new Map<string, (payload: object) => void>();
  const sent: (readonly [string, unknown])[] = [];
  const over = new AbortController();
  const root = {
    on: (event: string, listener: (payload: object) => void) => listeners.set(event, listener),
    send: (method: string, params: unknown) => {
      sent.push([method, params]);
      return Promise.resolve({});
    },
    closed: over.signal,
  } as unknown as CdpSession; // all that is used of it
  const begin = (number: number, more: object = {}): void =>
    listeners.get('Browser.downloadWillBegin')?.({
      guid: `${GUID}${number}`,
      url: 'https://site.test/a',
      suggestedFilename: 'a.txt',
      frameId: 'F',
      ...more,
    });
  const progress = (number: number, receivedBytes: number, totalBytes: number, state = 'inProgress'): void =>
    listeners.get('Browser.downloadProgress')?.({ guid: `${GUID}${number}`, receivedBytes, totalBytes, state });
  return { root, sent, begin, progress, close: () => over.abort(new AppError('cdp-closed', 'gone')) };
}

function listening() {
  const found: SurrogateDownload[] = [];
  const downloads = new SurrogateDownloads((id) => (id === 'F' ? { tab: TAB, frame: 7 } : undefined));
  const played = browser();
  downloads.renew(played.root, folder);
  const undo = downloads.listen((download) => found.push(download));
  return { downloads, found, undo, ...played };
}

it('lets a browser save downloads only while somebody takes them', () => {
  const { downloads, sent, undo } = listening();
  expect(sent).toEqual([
    ['Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true }],
  ]);
  expect(() => downloads.listen(() => undefined)).toThrow(expect.objectContaining({ code: 'already-handled' }));
  undo();
  expect(sent.at(-1)).toEqual(['Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: false }]);
  const next = browser();
  downloads.renew(next.root, folder);
  expect(next.sent).toEqual([]);
  next.begin(1);
  expect(next.sent).toEqual([['Browser.cancelDownload', { guid: `${GUID}1` }]]);
});

it('reports the tab, the frame, the sizes and the end of each', async () => {
  const { found, begin, progress } = listening();
  begin(1);
  begin(2, { frameId: 'gone', url: 'u'.repeat(100_000), suggestedFilename: 'n'.repeat(5000) });
  const [first, second] = found;
  expect(first).toMatchObject({ tab: TAB, frame: 7, name: 'a.txt', url: 'https://site.test/a', received: 0 });
  expect([second?.tab, second?.url.length, second?.name.length]).toEqual([undefined, 65_536, 1000]);
  let news = 0;
  first?.onProgress(() => (news += 1));
  progress(1, 10, 0);
  expect([first?.received, first?.total]).toEqual([10, undefined]);
  progress(1, 20, 40);
  progress(1, Number.NaN, 40);
  progress(1, 40, 40, 'completed');
  progress(1, 90, 90);
  expect([first?.received, first?.total, news]).toEqual([40, 40, 4]);
  expect(await first?.ended).toBe('completed');
});

it('refuses ids that are no names of Chromium: they become paths', () => {
  const { found, begin } = listening();
  for (const guid of ['../../etc/passwd', '', `${GUID}1/..`, 'X'.repeat(36)]) begin(1, { guid });
  begin(1);
  begin(1);
  expect(found).toHaveLength(1);
});

it('gives the bytes, and removes the file in whatever state it is', async () => {
  const { found, begin, progress, sent } = listening();
  begin(1);
  await writeFile(path.join(folder, `${GUID}1.crdownload`), 'bytes');
  progress(1, 5, 5);
  const chunks: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of found[0]!.bytes()) chunks.push(chunk);
  })();
  await expect.poll(() => Buffer.concat(chunks).toString()).toBe('bytes');
  progress(1, 5, 5, 'completed');
  await reading;
  await found[0]!.remove();
  expect([await readdir(folder), sent.filter(([method]) => method === 'Browser.cancelDownload')]).toEqual([[], []]);
  begin(2);
  await writeFile(path.join(folder, `${GUID}2.crdownload`), 'part');
  await found[1]!.remove();
  expect(await readdir(folder)).toEqual([]);
  expect(sent.at(-1)).toEqual(['Browser.cancelDownload', { guid: `${GUID}2` }]);
});

it('ends them with their browser, and has no more than 100 at a time', async () => {
  const { found, begin, sent, close } = listening();
  for (let number = 0; number < 101; number++)
    begin(0, { guid: `${GUID.slice(0, -3)}${String(number).padStart(4, '0')}` });
  expect(found).toHaveLength(100);
  expect(sent.at(-1)?.[0]).toBe('Browser.cancelDownload');
  close();
  expect(await Promise.all(found.map(({ ended }) => ended))).toEqual(Array(100).fill('canceled'));
});
