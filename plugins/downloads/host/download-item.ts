import type { DeskFile, SurrogateDownload } from '../../../host/plugin.ts';
import type { CancelReason, DownloadRecord, RestoredDownload } from '../protocol.ts';
import type { Again } from './again.ts';

const MAX_URI = 4096;

/** Policy for downloads from a page. */
export interface DownloadPolicy {
  readonly downloads: boolean;
  readonly max_download_megabytes: number;
  readonly keep_minutes: number;
}

export interface Progress {
  readonly received: number;
  readonly total?: number;
}

/** A download in the list. */
export interface Item {
  readonly id: number;
  readonly download: SurrogateDownload;
  readonly file: DeskFile;
  readonly site: string;
  isAsked: boolean;
  readonly policy: DownloadPolicy;
  /** Undefined where only the page can begin it again. */
  readonly again: Again | undefined;
  /** The person has just begun it again: another one takes its place when it comes, and is canceled where the person has changed their mind. */
  begun?: { isCanceled: boolean } | undefined;
  /** Ends its judgement. */
  readonly over: AbortController;
  tab: string;
  status: 'started' | 'finished' | 'cancelled';
  reason: CancelReason | undefined;
  /** With the reason that it is too large, or has no room: the size that is allowed, in MiB. */
  most?: number;
  saved: boolean;
  toldAt: number;
}

/** Whether nothing more happens to a download by itself: one in quarantine may be released. */
export function isOver({ status, saved, file }: Item): boolean {
  return status === 'cancelled' || saved || ['blocked', 'failed', 'canceled'].includes(file.state.is);
}

/** Place in the policy of the rule that has matched. */
export function ruleOf({ state }: DeskFile): string | undefined {
  return 'checks' in state ? state.checks.find(({ rule }) => rule !== undefined)?.rule : undefined;
}

/** Bytes of a download so far, and those that it will have where they are known. */
export function progressOf({ download, file, status }: Item): Progress {
  const received = status === 'finished' ? file.size : download.received;
  const total = status === 'finished' ? file.size : download.total;
  return { received, ...(total !== undefined && { total }) };
}

/** The name that the page has given it, well-formed and at most 255 units long. */
export function nameOf({ name }: SurrogateDownload): string {
  return name.toWellFormed().slice(0, 255);
}

/** Facts that the client is sent of a new download; the address only where it is one of the web (M-090). */
export function recordOf(item: Item): DownloadRecord {
  const { id, download, file, isAsked } = item;
  const isOfWeb = /^https?:/.test(download.url) && download.url.length < MAX_URI;
  return {
    id,
    uri: isOfWeb ? download.url : '',
    filename: file.name,
    asked: isAsked,
    again: item.again !== undefined,
    key: file.key,
    ...progressOf(item),
  };
}

/** Facts that a client is sent which comes back to a download. */
export function restoredOf(item: Item): RestoredDownload {
  const { status, reason, most, saved, file } = item;
  const scanned = file.state.is === 'allowed' && file.state.isScanned;
  return {
    ...recordOf(item),
    status,
    saved,
    scanned,
    ...(reason !== undefined && { reason }),
    ...(most !== undefined && { most }),
  };
}
