import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError, toAppError } from '../../../../core/protocol/errors.ts';
import type { SessionTab } from '../../../contracts/session-scope.ts';
import type { SurrogateDownload } from '../../../contracts/surrogate-files.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import { SurrogateDownloads } from '../surrogate-downloads.ts';

const GUID = '0b1c2d3e-0000-4000-8000-00000000000';
let isActing = true;
const TAB = { id: 'T', gesture: { isActive: () => isActing } } as unknown as SessionTab; // all that is used of it

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

const wayTo = (url: string) => ({ redirects: [`${url}/before`], posted: 1 });

function listening(bytes = Infinity) {
  const found: SurrogateDownload[] = [];
  const downloads = new SurrogateDownloads((id) =>
    id === 'F'
      ? { tab: TAB, frame: 7, wayTo, opener: undefined, isAsked: TAB.gesture.isActive(), read: () => undefined }
      : undefined,
  );
  const played = browser();
  downloads.renew(played.root, { down: folder, bytes });
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
  downloads.renew(next.root, { down: folder, bytes: Infinity });
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
  expect([first!.redirects, first!.posted]).toEqual([['https://site.test/a/before'], 1]);
  expect([second!.redirects, second!.posted]).toEqual([[], 0]);
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

it('compares what was read where the browser may have begun anew, though no report says so by itself', async () => {
  const { found, begin, progress } = listening();
  for (const [number, reports] of [[5], [0, 0], [0]].entries()) {
    begin(number);
    const file = path.join(folder, `${GUID}${number}.crdownload`);
    await writeFile(file, 'first');
    for (const received of reports) progress(number, received, 0);
    let given = '';
    const reading = (async () => {
      for await (const chunk of found[number]!.bytes()) given += Buffer.from(chunk).toString();
      return given;
    })();
    await expect.poll(() => given).toBe('first');
    await writeFile(file, 'other bytes');
    if (number === 0) progress(number, 3, 0);
    progress(number, 11, 11, 'completed');
    await rename(file, path.join(folder, `${GUID}${number}`));
    expect(await reading).toBe('first bytes');
    const verified = (text: string) => found[number]!.verify(createHash('sha256').update(text).digest('hex'));
    const isChanged = await verified('first bytes').catch((thrown: unknown) => toAppError(thrown).code);
    expect(isChanged).toBe(number === 2 ? undefined : 'download-changed');
    await verified('other bytes'); // begun anew with the same bytes
  }
});

it('compares no more than the browser has said that it received, and nothing once the download is removed', async () => {
  const { found, begin, progress } = listening();
  for (const number of [1, 2]) {
    begin(number);
    for (const received of [0, 0, 4]) progress(number, received, 0);
    await writeFile(path.join(folder, `${GUID}${number}`), 'much more than that');
    progress(number, 4, 4, 'completed');
  }
  const digest = createHash('sha256').update('much more than that').digest('hex');
  await expect(found[0]!.verify(digest)).rejects.toMatchObject({ code: 'download-changed' });
  const verified = expect(found[1]!.verify(digest)).rejects.toMatchObject({ code: 'download-canceled' });
  void found[1]!.remove();
  await verified;
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

/** Code of the error with which the bytes of a download end. */
async function endOf(download: SurrogateDownload): Promise<string> {
  try {
    for await (const _chunk of download.bytes());
    return 'whole';
  } catch (thrown) {
    return toAppError(thrown).code;
  }
}

const KIB = 1024;
const write = (number: number, size: number): Promise<void> =>
  writeFile(path.join(folder, `${GUID}${number}.crdownload`), Buffer.alloc(size, 1));

it('cancels those that nobody has asked for, then the largest, before all have more bytes than they may', async () => {
  const { found, begin, sent, progress } = listening(1000 * KIB);
  const canceled = (): unknown[] => sent.flatMap(([method, params]) => (/cancel/.test(method) ? [params] : []));
  for (const number of [1, 2, 3]) {
    isActing = number !== 1;
    begin(number);
  }
  const ends = found.map(endOf);
  await write(1, 100 * KIB);
  await write(2, 700 * KIB);
  await write(3, 190 * KIB);
  // All that has been written is looked at before this one is stopped.
  begin(4);
  progress(4, 0, 1001 * KIB);
  await expect.poll(canceled).toEqual([{ guid: `${GUID}4` }]);
  await write(3, 280 * KIB); // 1080 of 1000: without the first one they fit
  await expect.poll(canceled).toEqual([{ guid: `${GUID}4` }, { guid: `${GUID}1` }]);
  await write(3, 400 * KIB);
  await expect.poll(canceled).toEqual([{ guid: `${GUID}4` }, { guid: `${GUID}1` }, { guid: `${GUID}2` }]);
  expect(await Promise.all(ends.slice(0, 2))).toEqual(['downloads-full', 'downloads-full']);
  progress(3, 400 * KIB, 400 * KIB, 'completed');
  expect(await ends[2]).toBe('whole');
  // Its file is there still, until it is removed.
  begin(5);
  await write(5, 700 * KIB);
  await expect.poll(canceled).toHaveLength(4);
  for (const download of found) await download.remove();
  begin(6);
  await write(6, 700 * KIB);
  begin(7);
  progress(7, 0, 1001 * KIB);
  await expect.poll(canceled).toHaveLength(5);
  expect(canceled().at(-1)).toEqual({ guid: `${GUID}7` });
});
