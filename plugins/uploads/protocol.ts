import * as v from 'valibot';
import { id, serial, text } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

const bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const which = { id: serial };
/** Place of a file in its upload. */
const file = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(9999));

/** Most files of one upload that a message can name; the policy may allow fewer. */
const MAX_FILES = 10_000;
/** Longest password of a file, in UTF-16 units. */
export const MAX_PASSWORD = 256;

/** Reasons for the end of an upload. */
export const UPLOAD_END = {
  /** The page that asked for the files has gone. */
  pageLeft: 1,
  /** The host could not keep the files, or give them to the page. */
  host: 2,
  /** The disk of the host is full. */
  diskFull: 3,
  /** The bytes are not those that were announced: the file has changed while it was read. */
  changed: 4,
  /** The page does not take what is dropped there. */
  notTaken: 5,
  /** The page has the files of too many uploads. */
  pageFull: 6,
  /** The files that pages have leave no room for it. */
  noRoom: 7,
} as const;
const end = v.picklist(Object.values(UPLOAD_END));
export type UploadEnd = v.InferOutput<typeof end>;

/** The page asks for files (M-080, M-091). A later one takes the place of an earlier one. */
export const runFileChooser = message('run_file_chooser', {
  direction: 'host-to-client',
  params: v.object({
    ...which,
    /** More than one may be chosen. */
    multiple: v.boolean(),
    /** A folder is asked for. */
    folder: v.boolean(),
    /** Value of the attribute `accept`: a hint, chosen by the page. */
    accept: text(1000),
    /** Value of the attribute `capture`, as browsers read it: the camera that a phone opens. */
    capture: v.exactOptional(text(20)),
  }),
});

/** The person has chosen none. */
export const fileChooserCancelled = message('file-chooser-cancelled', {
  direction: 'client-to-host',
  params: v.object(which),
});

/** A file that the person has chosen, as their browser describes it (M-019). */
const chosen = v.object({
  size: bytes,
  name: text(1000),
  /** MIME type, `n/a` where the browser knows none. */
  type: text(200),
  /** Time of its last change, in ms since 1970. */
  lastModified: v.pipe(v.number(), v.safeInteger()),
  /** Path in the folder that was chosen, with `/`; empty for a single file. */
  path: text(4000),
});
export type ChosenFile = v.InferOutput<typeof chosen>;

/** Types that a drag describes at most. */
export const MAX_DRAGGED = 20;
/** The number under which they are sent; null where the page takes none, or the policy allows none. */
const offered = v.object({ id: v.nullable(serial) });
const over = { target: targetSchema, modifiers: inputFlags };

/** Files are dragged over the page, described by their MIME types. Answers whether it takes them there. */
export const dragOver = message('uploads.drag-over', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ ...over, types: v.pipe(v.array(text(200)), v.maxLength(MAX_DRAGGED)) }),
  result: v.object({ isTaken: v.boolean() }),
});

/** They are no longer over it. */
export const dragLeave = message('uploads.drag-leave', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({}),
});

/** They are dropped. */
export const dropFiles = message('uploads.drop', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object(over),
  result: offered,
});

/** Files are pasted into a frame (S-090). */
export const pasteFiles = message('uploads.paste', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id }),
  result: offered,
});

/** Asks a frame whether it takes what was dragged over it last. */
export const pageTakes = message('uploads.page-takes', {
  direction: 'host-to-page',
  params: v.object({}),
  result: v.object({ isTaken: v.boolean() }),
});

/** The person has chosen files (M-041). */
export const upload = message('upload', {
  direction: 'client-to-host',
  params: v.object({ ...which, files: v.pipe(v.array(chosen), v.minLength(1), v.maxLength(MAX_FILES)) }),
});

/** The host takes them under this name: the client sends each file to POST /r/upload. */
export const uploadAck = message('upload_ack', {
  direction: 'host-to-client',
  params: v.object({ ...which, uploadId: text(50) }),
});

/** The host has so many bytes of a file: a sender that was cut goes on there. */
export const uploadProgress = message('upload_progress', {
  direction: 'host-to-client',
  params: v.object({ ...which, file, received: bytes }),
});

/**
 * A part of a file could not be sent: the host ends what it still receives of it, and answers with the bytes that it has; null where it wants no
 * more. The answer says too that the channel is connected.
 */
export const resumeUpload = message('uploads.resume', {
  direction: 'client-to-host',
  params: v.object({ ...which, file }),
  result: v.object({ received: v.nullable(bytes) }),
});

/** The password of an encrypted file is needed. */
export const uploadPassword = message('upload_password', {
  direction: 'host-to-client',
  params: v.object({ ...which, file, isAgain: v.boolean() }),
});

/** The answer. */
export const uploadUnlock = message('upload-unlock', {
  direction: 'client-to-host',
  params: v.object({ ...which, file, password: v.pipe(v.string(), v.maxLength(MAX_PASSWORD)) }),
});

const blockReason = v.picklist([
  'infected',
  'encrypted',
  'not-scanned',
  'no-scanner',
  'rule',
  'quarantined',
  'too-large',
  'too-many',
]);
export type UploadBlock = v.InferOutput<typeof blockReason>;
const blockedFile = v.object({
  file,
  reason: blockReason,
  /** Text of the rule of the policy that blocks it. */
  message: v.exactOptional(text(1000)),
});
export type BlockedFile = v.InferOutput<typeof blockedFile>;

/** Files do not go on to the page (M-097). With some left, the person decides whether those do. */
export const uploadBlocked = message('upload_blocked', {
  direction: 'host-to-client',
  params: v.object({
    ...which,
    /** The first ones. */
    files: v.pipe(v.array(blockedFile), v.minLength(1), v.maxLength(100)),
    /** Files that the page may still get. */
    left: bytes,
    /** With `too-large` and `too-many`: the largest size in MiB, or number, that is allowed. */
    most: v.exactOptional(bytes),
  }),
});

/** The page gets the others. */
export const uploadGoOn = message('upload-go-on', { direction: 'client-to-host', params: v.object(which) });

/** The policy allows no uploads on this page (M-097). */
export const uploadsDisabled = message('uploads_disabled', {
  direction: 'host-to-client',
  params: v.object({ site: text(300) }),
});

/** The upload has ended, and the page has got nothing. */
export const uploadAborted = message('upload_aborted', {
  direction: 'host-to-client',
  params: v.object({
    ...which,
    reason: end,
    /** With reason 7: the size that all files of pages may have, in MiB. */
    most: v.exactOptional(bytes),
  }),
});

/** The page has the files. */
export const uploadComplete = message('upload_complete', { direction: 'host-to-client', params: v.object(which) });

/** The page gets the files without this one, of which bytes are missing. The last one ends the upload: {@link abortUpload}. */
export const leaveOut = message('uploads.leave-out', {
  direction: 'client-to-host',
  params: v.object({ ...which, file }),
});

/** Reasons of a client for the end of an upload: the person stops it, or a file could not be sent, or has changed on their device. */
const clientEnd = v.picklist(['canceled', 'failed', 'changed']);
export type ClientEnd = v.InferOutput<typeof clientEnd>;

/** The upload ends. */
export const abortUpload = message('abort-upload', {
  direction: 'client-to-host',
  params: v.object({ ...which, why: clientEnd }),
});
