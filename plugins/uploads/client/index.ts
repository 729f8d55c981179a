import { helperToken, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope, SlotContribution } from '../../../core/index.ts';
import {
  abortUpload,
  fileChooserCancelled,
  runFileChooser,
  upload,
  uploadAborted,
  uploadAck,
  uploadBlocked,
  uploadComplete,
  uploadGoOn,
  uploadPassword,
  uploadProgress,
  uploadsDisabled,
  uploadUnlock,
} from '../protocol.ts';
import type { ChosenFile } from '../protocol.ts';
import { Chooser } from './chooser.ts';
import { Dialogs } from './dialogs.ts';
import { sendFile } from './send-file.ts';
import type { TrayProps } from './tray.tsx';
import { Uploads } from './uploads.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};
const MAX_ADDRESS = 4000;
const MAX_NAME = 1000;
const MAX_TYPE = 200;

const tray: SlotContribution<TrayProps> = { load: () => import('./tray.tsx'), order: 110 };

/** Opens the person's file picker for a page, and sends the files to the host (M-041, M-052, M-080, S-120). */
export const activate: ActivateClient = async ({ commands, log, services, session, slots, signal, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  const helper = services.get(helperToken);
  const dialogs = new Dialogs(slots, texts, signal);
  let filled: (() => void) | undefined;

  const uploads: Uploads = new Uploads({
    send: (file, at, { uploadId, ...facts }) =>
      sendFile({ helper, file, query: queryOf(session, uploadId, at), ...facts }),
    abort: (id, hasFailed) => commands.send(abortUpload, { id, hasFailed }),
    onFault: (thrown) => log.warn('a file could not be sent', { reason: String(thrown) }),
    onShown: (isShown) => {
      if (isShown) filled ??= slots.fill(SLOTS.panel, tray, { uploads, texts });
      else {
        filled?.();
        filled = undefined;
      }
    },
  });
  const chooser = new Chooser({
    confirm: (over) => dialogs.confirm(over),
    onCancelled: (id) => commands.send(fileChooserCancelled, { id }),
    onChosen: (id, files) => {
      uploads.add(id, files);
      commands.send(upload, { id, files: files.map(described) });
    },
  });

  commands.handle(runFileChooser, ({ id, multiple, folder, accept }) => chooser.run(id, { multiple, folder, accept }));
  commands.handle(uploadAck, ({ id, uploadId }) => void uploads.start(id, uploadId));
  commands.handle(uploadProgress, ({ id, file, received }) => uploads.received(id, file, received));
  commands.handle(uploadPassword, async ({ id, file, isAgain }) => {
    uploads.locked(id);
    const password = await dialogs.password(uploads.fileName(id, file), isAgain);
    if (signal.aborted) return;
    if (password === undefined) uploads.cancel(id);
    else {
      uploads.unlocked(id);
      commands.send(uploadUnlock, { id, file, password });
    }
  });
  commands.handle(uploadBlocked, async ({ id, files, left, most = '' }) => {
    const [first] = files;
    if (!first) return;
    const canGoOn = left > 0;
    const name = uploads.fileName(id, first.file);
    if (!canGoOn) uploads.blocked(id, 'uploads.blocked');
    const goesOn = await dialogs.blocked(name, first, { more: files.length - 1, most, canGoOn });
    if (!canGoOn || signal.aborted) return;
    if (goesOn) commands.send(uploadGoOn, { id });
    else uploads.cancel(id);
  });
  commands.handle(uploadsDisabled, ({ site }) => dialogs.disabled(site));
  commands.handle(uploadAborted, ({ id, reason }) => uploads.aborted(id, reason));
  commands.handle(uploadComplete, ({ id }) => uploads.done(id));
  onDispose(() => {
    chooser.dispose();
    uploads.dispose();
    filled?.();
  });
};

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
function described({ size, name, type, lastModified, webkitRelativePath }: File): ChosenFile {
  return {
    size,
    name: name.toWellFormed().slice(0, MAX_NAME),
    type: type === '' ? 'n/a' : type.slice(0, MAX_TYPE),
    lastModified,
    path: webkitRelativePath.toWellFormed().slice(0, MAX_ADDRESS),
  };
}
