import { helperToken, SLOTS, textsToken, unfinishedWork } from '../../../core/index.ts';
import type { ClientScope, DeviceView, Message, ResultOf, SlotContribution } from '../../../core/index.ts';
import {
  abortUpload,
  dropFiles,
  fileChooserCancelled,
  leaveOut,
  pasteFiles,
  resumeUpload,
  runFileChooser,
  upload,
  uploadAborted,
  uploadAck,
  uploadBlocked,
  uploadComplete,
  uploadPassword,
  uploadProgress,
  uploadsDisabled,
} from '../protocol.ts';
import type { ChosenFile } from '../protocol.ts';
import { Chooser } from './chooser.ts';
import { Dialogs } from './dialogs.ts';
import { watchDrags } from './drags.ts';
import type { DropAt } from './drags.ts';
import { chosenOf, filesOf } from './dropped.ts';
import type { Picked } from './dropped.ts';
import type { Entries } from './entries.ts';
import { picker } from './picker.ts';
import { questionsOf } from './questions.ts';
import { readKept } from './kept-uploads.ts';
import { sendFile } from './send-file.ts';
import type { TrayProps } from './tray.tsx';
import { Uploads } from './uploads.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};
/** Longest wait of an upload for the host, in ms: a channel that is away is lost sooner. */
const RESUME_MS = 120_000;
const MAX_ADDRESS = 4000;
const MAX_NAME = 1000;
const MAX_TYPE = 200;
/** Files that are described: more than a policy allows are refused all the same, and all of a large folder fit into no message. */
const MAX_DESCRIBED = 1000;

const tray: SlotContribution<TrayProps> = { load: () => import('./tray.tsx'), order: 110 };

/** The part of the client that is loaded on demand. */
interface Started {
  /** Takes a message of the host. */
  readonly take: (name: string, params: unknown) => unknown;
  /** Takes files that are dragged over a document of the view, from now on; the function takes those of an earlier drop. */
  readonly watch: (view: DeviceView) => DropAt;
  /** Brings files into a frame that the person has pasted there. */
  readonly paste: (frame: number, entries: Entries) => Promise<void>;
}

/** Opens the person's file picker for a page, and sends the files to the host (M-041, M-052, M-080, S-120). */
export async function start(scope: ClientScope): Promise<Started> {
  const { commands, events, log, services, session, slots, signal, onDispose } = scope;
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  const helper = services.get(helperToken);
  const dialogs = new Dialogs(slots, texts, signal);
  let filled: (() => void) | undefined;

  const unfinished = unfinishedWork(window, 'uploads', {
    cid: session.cid,
    tab: session.pairing.tab_id,
    read: readKept,
  });
  const uploads: Uploads = new Uploads({
    send: (file, at, { id, uploadId, ...facts }) => {
      const resume = async (): Promise<number | null> =>
        (await commands.call(resumeUpload, { id, file: at }, { deadlineMs: RESUME_MS })).received;
      const onCallFailed = (label: string, thrown: unknown): void => {
        const data = { label, message: String(thrown) };
        events.report('tc-server-call-failed', data, { level: 'warning', force: true });
      };
      return sendFile({ helper, file, query: queryOf(session, uploadId, at), resume, onCallFailed, ...facts });
    },
    abort: (id, why) => tell(() => commands.send(abortUpload, { id, why })),
    leaveOut: (id, file) => tell(() => commands.send(leaveOut, { id, file })),
    onFault: (thrown) => log.warn('a file could not be sent', { reason: String(thrown) }),
    onShown: (isShown) => {
      if (isShown) filled ??= slots.fill(SLOTS.panel, tray, { uploads, texts });
      else {
        filled?.();
        filled = undefined;
      }
    },
    keep: (rows) => unfinished.keep(rows),
  });
  // Those that were over are no news after a session: another person may have been signed in.
  const lost = unfinished.lost.filter(({ ended }) => !ended);
  uploads.addKept(lost, 'uploads.session-lost');
  uploads.addKept(unfinished.left, 'uploads.reloaded');
  const send = (id: number, picked: readonly Picked[]): void => {
    uploads.add(
      id,
      picked.map(({ file }) => file),
    );
    commands.send(upload, { id, files: picked.slice(0, MAX_DESCRIBED).map(described) });
  };
  const chooser = new Chooser({
    picker,
    confirm: (over) => dialogs.confirm(over),
    onCancelled: (id) => commands.send(fileChooserCancelled, { id }),
    onChosen: (id, files) => send(id, chosenOf(files)),
  });

  const handlers = new Map<string, (params: never) => unknown>();
  const on = <P>({ name }: Message<P>, handler: (params: P) => unknown): void => void handlers.set(name, handler);
  on(runFileChooser, ({ id, ...wanted }) => chooser.run(id, wanted));
  on(uploadsDisabled, ({ site }) => dialogs.disabled(site));
  on(uploadAck, ({ id, uploadId }) => void uploads.start(id, uploadId));
  on(uploadProgress, ({ id, file, received }) => uploads.received(id, file, received));
  const questions = questionsOf({ commands, dialogs, uploads, signal });
  on(uploadPassword, questions.password);
  on(uploadBlocked, questions.blocked);
  on(uploadAborted, ({ id, reason, most }) => uploads.aborted(id, reason, most));
  on(uploadComplete, ({ id }) => uploads.done(id));
  onDispose(() => {
    chooser.dispose();
    uploads.dispose();
    filled?.();
  });
  return {
    take: (name, params) => handlers.get(name)?.(params as never), // as the message has checked them
    ...waysIn(scope, send),
  };
}

/** Ways of files into the page that the page has not asked for. */
function waysIn(
  { commands, log, signal }: ClientScope,
  send: (id: number, picked: readonly Picked[]) => void,
): Omit<Started, 'take'> {
  const bring = async (entries: Entries, begin: () => Promise<ResultOf<typeof dropFiles>>): Promise<void> => {
    try {
      const picked = await filesOf(entries);
      if (picked.length === 0) return;
      const { id } = await begin();
      if (id !== null && !signal.aborted) send(id, picked);
    } catch (thrown) {
      log.warn('files were not taken', { reason: String(thrown) });
    }
  };
  return {
    watch: (view) => watchDrags(view, commands, (at, entries) => bring(entries, () => commands.call(dropFiles, at))),
    paste: (frame, entries) => bring(entries, () => commands.call(pasteFiles, { frame })),
  };
}

/** Parameters of the requests for a file (S-120). */
function queryOf({ pairing, pageUrl }: ClientScope['session'], uploadId: string, file: number): Record<string, string> {
  const { cid, tab_id, mpa_id, cluster_id } = pairing;
  return {
    cid,
    tab_id,
    ...(mpa_id !== undefined && { mpa_id }),
    upload_id: uploadId,
    file_id: String(file),
    page_url: pageUrl().slice(0, MAX_ADDRESS),
    ...(cluster_id !== undefined && { cl: cluster_id }),
  };
}

/** A file as the host gets to know it (M-019). */
function described({ file: { size, name, type, lastModified }, path }: Picked): ChosenFile {
  return {
    size,
    name: name.toWellFormed().slice(0, MAX_NAME),
    type: type === '' ? 'n/a' : type.slice(0, MAX_TYPE),
    lastModified,
    path: path.toWellFormed().slice(0, MAX_ADDRESS),
  };
}

/** Sends where there is still a channel: one that is lost for good has the host end the upload by itself. */
function tell(send: () => void): void {
  try {
    send();
  } catch {
    // It is lost.
  }
}
