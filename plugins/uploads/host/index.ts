import { toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
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
  UPLOAD_END,
} from '../protocol.ts';
import type { ChosenFile } from '../protocol.ts';
import { refusalOf, wishesOf } from './chosen.ts';
import { HeldUploads } from './held-uploads.ts';
import { runningUploadsToken } from './session.ts';
import type { RunningUploads } from './session.ts';
import { Upload } from './upload.ts';
import type { FileTarget } from './upload.ts';

const MAIN_FRAME = 1;

type Scope = HostScope<typeof manifest>;

/** The setting of the plugin that pastes, where the build has it. */
interface PastePolicy {
  readonly copy_paste?: { readonly restrict_paste: boolean };
}

/** A chooser that the page has opened, and the person has not answered. */
interface Asked {
  readonly id: number;
  readonly target: FileTarget;
  readonly multiple: boolean;
}

/** Asks the person for the files that a page wants, and gives them to it (M-041, M-080, M-091). */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, hooks, cdp, input, tab, services, records, log, onDispose } = scope;
  const running = services.get(runningUploadsToken);
  const held = new HeldUploads(running);
  let asked: Asked | undefined;
  let last = 0;

  cdp.on('Page.fileChooserOpened', ({ frameId, mode, backendNodeId }) => {
    const frame = cdp.frameOf(frameId);
    // Chromium demands an act of the person, and so do we: the event comes from a renderer.
    if (frame === undefined || backendNodeId === undefined || !input.gesture.isActive()) return;
    records.count('asked');
    if (!isAllowed(scope)) {
      records.count('refused');
      commands.send(uploadsDisabled, { site: siteOf(tab.url()) });
      return;
    }
    const id = ++last;
    const multiple = mode === 'selectMultiple';
    const ask = async (): Promise<void> => {
      const { accept, folder } = await wishesOf(scope, { frame, backendNodeId });
      if (id !== last) return;
      asked = { id, target: { tab: tab.id, frame, backendNodeId, asFolder: folder }, multiple: multiple || folder };
      commands.send(runFileChooser, { id, multiple, folder, accept });
    };
    ask().catch((thrown: unknown) => log.info('a file chooser has gone', { error: toAppError(thrown).message }));
  });
  commands.handle(fileChooserCancelled, ({ id }) => {
    if (asked?.id === id) asked = undefined;
  });
  commands.handle(upload, ({ id, files }) => {
    if (asked?.id !== id) {
      commands.send(uploadAborted, { id, reason: UPLOAD_END.pageLeft });
      return;
    }
    const { target, multiple } = asked;
    asked = undefined;
    if (!isAllowed(scope)) {
      // The policy has changed meanwhile.
      commands.send(uploadsDisabled, { site: siteOf(tab.url()) });
      commands.send(uploadAborted, { id, reason: UPLOAD_END.host });
      return;
    }
    const refused = refusalOf(scope, files, multiple);
    if (refused) {
      records.count('blocked', files.length);
      commands.send(uploadBlocked, { id, left: 0, ...refused });
      return;
    }
    const begun = uploadOf(scope, running, id, files, target);
    held.add(id, begun, target.frame);
    commands.send(uploadAck, { id, uploadId: begun.id });
  });
  commands.handle(uploadUnlock, ({ id, file, password }) => held.get(id)?.unlock(file, password));
  commands.handle(uploadGoOn, ({ id }) => held.get(id)?.goOn());
  commands.handle(abortUpload, ({ id, hasFailed }) => {
    if (hasFailed) log.info('a client could not send a file', { upload: id });
    held.get(id)?.abort();
  });

  const left = (frame: number): void => {
    if (asked?.target.frame === frame || frame === MAIN_FRAME) asked = undefined;
    held.left(frame);
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) left(frame);
  });
  hooks.tap(tab.hooks.replaced, () => left(MAIN_FRAME));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    asked = undefined;
    held.abort();
  });
  onDispose(() => held.dispose());
};

/** A policy that restricts pasting lets nobody bring in files either. */
function isAllowed({ tab }: Pick<Scope, 'tab'>): boolean {
  const { transfers, copy_paste: paste } = tab.policy() as ReturnType<Scope['tab']['policy']> & PastePolicy;
  return transfers.uploads && paste?.restrict_paste !== true;
}

/** An upload whose events go to the client. */
function uploadOf(
  { commands, tab, records, log }: Scope,
  running: RunningUploads,
  id: number,
  files: readonly ChosenFile[],
  target: FileTarget,
): Upload {
  return new Upload({
    files,
    target,
    tab,
    site: siteOf(tab.url()),
    desk: running.desk,
    stage: () => running.stage(),
    listener: {
      progress: (file, received) => commands.send(uploadProgress, { id, file, received }),
      password: (file, isAgain) => commands.send(uploadPassword, { id, file, isAgain }),
      blocked: (blocked, others) => commands.send(uploadBlocked, { id, files: [...blocked], left: others }),
      aborted: (reason) => commands.send(uploadAborted, { id, reason }),
      completed: () => commands.send(uploadComplete, { id }),
    },
    records,
    log,
  });
}

function siteOf(url: string): string {
  return (URL.parse(url)?.host ?? '').slice(0, 300);
}
