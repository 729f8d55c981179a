import { testRecords } from '../../../core/testing/records.ts';
import { testAccess } from '../../../core/testing/host-access.ts';
import type { AppError, FileDesk, SessionTab, SurrogateDownload } from '../../../host/plugin.ts';
import { DownloadList } from '../host/download-list.ts';
import { manifest } from '../manifest.ts';
import { playedDownload } from './played-download.ts';
import { PlayedFile } from './played-file.ts';

/** Whether the person has just acted in the tabs of {@link tabOf}. */
export const person = { isActing: true };

/** A tab with a page and two frames. */
export const tabOf = (id: string): SessionTab =>
  ({
    id,
    url: () => 'https://site.test:8443/page',
    isShown: () => id === 'T',
    frames: () => [
      { id: 1, parent: 0, url: 'https://site.test:8443/page' },
      { id: 2, parent: 1, url: 'https://inner.test/form' },
      { id: 3, parent: 2, url: 'about:srcdoc' },
    ],
    originOf: (frame: number) => Promise.resolve(frame === 1 ? 'https://site.test:8443' : 'null'),
    gesture: { isActive: () => person.isActing },
  }) as unknown as SessionTab; // all that is used of it
export const TAB = tabOf('T');
const OTHER = tabOf('O');
/** A download of {@link TAB}. */
export const played = (more: Partial<SurrogateDownload> = {}) => playedDownload(TAB, more);
interface Played {
  /** First address of downloads, as the extension half tells it. */
  readonly first?: string;
  readonly firstOf?: () => Promise<string>;
  readonly downloads?: boolean;
  /** A site whose policy allows none. */
  readonly refusing?: string;
  readonly refuse?: AppError;
  /** Its page can ask for one again. */
  readonly canAsk?: boolean;
}

/** A list of downloads with a desk that is played, and what it reports. */
export function list({ downloads = true, refusing, refuse, first, firstOf, canAsk = true }: Played = {}) {
  const records = testRecords();
  const access = testAccess(manifest);
  const file = new PlayedFile();
  const desk: FileDesk = {
    begin: () => (refuse ? Promise.reject(refuse) : Promise.resolve(file)),
    limitOf: () => undefined,
  };
  const isAllowed = (address: string): boolean => downloads && new URL(address).host !== (refusing ?? '-');
  const made = new DownloadList({
    desk: () => desk,
    policyOf: (_tab, addresses) => ({
      downloads: addresses.every(isAllowed),
      max_download_megabytes: 2,
      keep_minutes: 5,
    }),
    firstOf: firstOf ?? ((url) => Promise.resolve(first ?? url)),
    tabs: () => [OTHER, TAB],
    records: access.records,
    log: records.log,
  });
  const heard: unknown[][] = [];
  const listener = (tab: string) => ({
    requested: (record: object, ...replaced: unknown[]) =>
      heard.push([tab, 'requested', record, ...replaced.filter((id) => id !== undefined)]),
    updated: (...facts: unknown[]) => heard.push([tab, 'updated', ...facts]),
    cancelled: (...facts: unknown[]) => heard.push([tab, 'cancelled', ...facts]),
    ignored: (...facts: unknown[]) => heard.push([tab, 'ignored', ...facts]),
    failed: (...facts: unknown[]) => heard.push([tab, 'failed', ...facts]),
    restored: (item: object) => heard.push([tab, 'restored', item]),
    again: (place: object) => {
      heard.push([tab, 'again', place]);
      return canAsk ? Promise.resolve() : Promise.reject(new Error('The page has gone.'));
    },
  });
  const undo = made.attach('T', listener('T'));
  return { list: made, file, heard, undo, listener, recorded: access.recorded };
}
