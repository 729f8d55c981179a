import * as v from 'valibot';
import { serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

const bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const which = v.object({ id: serial });

/** Why a download is over before it is whole (M-040; 3 to 6 are ours). */
export const CANCEL = {
  /** By the person. */
  user: 1,
  /** Larger than the policy allows. */
  tooLarge: 2,
  /** The site has stopped sending, or the page has left it. */
  interrupted: 3,
  /** The host could not keep it. */
  host: 4,
  /** The disk of the host is full. */
  diskFull: 5,
  /** Those that the surrogate saves at the same time leave no room for it. */
  noRoom: 6,
} as const;
const reason = v.picklist(Object.values(CANCEL));
const restoredStatus = v.picklist(['started', 'finished', 'cancelled']);
export type CancelReason = v.InferOutput<typeof reason>;

const progress = {
  received: bytes,
  /** Absent where the site does not say it. */
  total: v.exactOptional(bytes),
};

/** A download, as the client knows it: those fields of M-015 that the host has. */
const record = v.object({
  id: serial,
  /** Address that it comes from; empty for one that is longer than 4,096 units, or not of the web (M-055). */
  uri: text(4096),
  /** A name that any system holds. */
  filename: text(255),
  /** The person has acted in the page just before it: it is saved by itself. */
  asked: v.boolean(),
  /** It can be begun again, once it was canceled: its address is one of the web, and no form was posted for it. */
  again: v.boolean(),
  /** Its id in the file service. */
  key: text(100),
  ...progress,
});
export type DownloadRecord = v.InferOutput<typeof record>;

/** The page downloads something (M-015, M-030). */
export const downloadRequested = message('download_requested', {
  direction: 'host-to-client',
  params: v.object({
    ...record.entries,
    /** Id of one that it takes the place of: the person has begun that again. */
    replaces: v.exactOptional(serial),
  }),
});

/** It arrives at the host, or has arrived there (M-030). */
export const downloadStatusUpdated = message('download_status_updated', {
  direction: 'host-to-client',
  params: v.object({ id: serial, status: v.picklist(['started', 'finished']), ...progress }),
});

/** It will not be whole (M-040). */
export const downloadCancelled = message('download_cancelled', {
  direction: 'host-to-client',
  params: v.object({
    id: serial,
    reason,
    /** With reason 2: the largest size that is allowed, in MiB; with reason 6: that of all downloads at a time. */
    most: v.exactOptional(bytes),
  }),
});

/** The policy allows no downloads: nothing of it was kept. */
export const downloadIgnored = message('download_ignored', {
  direction: 'host-to-client',
  params: v.object({ filename: text(255), site: text(300) }),
});

const restored = v.object({
  ...record.entries,
  status: restoredStatus,
  reason: v.exactOptional(reason),
  /** As in {@link downloadCancelled}. */
  most: v.exactOptional(bytes),
  /** The person's browser has been given it already. */
  saved: v.boolean(),
  /** Scanners have looked at all of it, and found nothing. */
  scanned: v.boolean(),
});
export type RestoredDownload = v.InferOutput<typeof restored>;

/** A download that an earlier client of the tab, or another tab, has had before. */
export const downloadRestoreProg = message('download_restore_prog', { direction: 'host-to-client', params: restored });

/** The person cancels it. */
export const cancelDownload = message('cancel-download', { direction: 'client-to-host', params: which });

/** The person begins it again: one that takes its place is requested, or it is canceled once more. */
export const downloadAgain = message('downloads.again', { direction: 'client-to-host', params: which });

/** Longest password of a file, in UTF-16 units. */
export const MAX_PASSWORD = 256;

/** The person says the password of a download that is encrypted. */
export const dlResume = message('dl-resume', {
  direction: 'client-to-host',
  params: v.object({ id: serial, password: v.pipe(v.string(), v.maxLength(MAX_PASSWORD)) }),
});

/** The person's browser has been given it. */
export const dlSaveProg = message('dl-save-prog', { direction: 'client-to-host', params: which });

/** The person has removed it from the list: nothing of it is kept any more. */
export const dlTcUiFinished = message('dl-tc-ui-finished', { direction: 'client-to-host', params: which });
