import { toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope, ResultOf } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import {
  abortUpload,
  dragLeave,
  dragOver,
  dropFiles,
  fileChooserCancelled,
  pasteFiles,
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
import { Asked } from './asked.ts';
import { fireCancel } from './cancelled.ts';
import { refusalOf, wishesOf } from './chosen.ts';
import { DraggedFiles } from './dropped.ts';
import { HeldUploads } from './held-uploads.ts';
import { pasteTarget } from './pasted.ts';
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

/** Asks the person for the files that a page wants, and gives them to it (M-041, M-080, M-091). */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, hooks, tab, services, records, log, onDispose } = scope;
  const running = services.get(runningUploadsToken);
  const held = new HeldUploads(running);
  const asked = new Asked();

  const refuses = (isRefused = !isAllowed(scope)): boolean => {
    if (!isRefused) return false;
    records.count('refused');
    commands.send(uploadsDisabled, { site: siteOf(tab.url()) });
    return true;
  };
  onChooser(scope, (wanted, cancel) => {
    records.count('asked');
    if (refuses()) {
      cancel();
      return;
    }
    const id = asked.next();
    const ask = async (): Promise<void> => {
      const { target, ...rest } = await wanted();
      const isAsked = asked.set({ id, target, multiple: rest.multiple || rest.folder });
      if (isAsked) commands.send(runFileChooser, { id, ...rest });
    };
    ask().catch((thrown: unknown) => log.info('a file chooser has gone', { error: toAppError(thrown).message }));
  });
  const dragged = takeDrags(scope, running, (target) => (refuses() ? null : asked.offer(target)));
  takePastes(
    scope,
    () => refuses(!isAllowed(scope) || !mayDrag(scope)),
    (target) => asked.offer(target),
  );
  commands.handle(fileChooserCancelled, ({ id }) => {
    if (asked.has(id)) asked.cancel();
  });
  commands.handle(upload, ({ id, files }) => {
    // Another chooser has taken its place, or the policy has changed meanwhile.
    const wish = asked.take(id);
    if (!wish || refuses()) {
      commands.send(uploadAborted, { id, reason: wish ? UPLOAD_END.host : UPLOAD_END.pageLeft });
      wish?.target.cancel?.();
      return;
    }
    const { target, multiple } = wish;
    if (refusesFiles(scope, running, { id, files, isMultiple: multiple })) {
      target.cancel?.();
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
    asked.left(frame);
    held.left(frame);
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) left(frame);
  });
  hooks.tap(tab.hooks.replaced, () => left(MAIN_FRAME));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    asked.cancel();
    held.abort();
  });
  onDispose(() => {
    held.dispose();
    void dragged.leave();
  });
};

interface Chosen {
  readonly id: number;
  readonly files: readonly ChosenFile[];
  readonly isMultiple: boolean;
}

/** Notifies the client where the policy allows no such files; answers whether that is so. */
function refusesFiles(scope: Scope, { desk }: RunningUploads, { id, files, isMultiple }: Chosen): boolean {
  const { commands, records, tab } = scope;
  const refused = refusalOf(scope, desk, files, isMultiple);
  if (!refused) return false;
  records.count('blocked', files.length);
  const { rules = [], ...why } = refused;
  commands.send(uploadBlocked, { id, left: 0, ...why });
  const site = siteOf(tab.url());
  for (const rule of rules) records.append('transfers', { direction: 'up', site, outcome: 'rule', ...rule });
  return true;
}

/** Wishes of a chooser of the page, and where the files go. */
interface Wanted extends Awaited<ReturnType<typeof wishesOf>> {
  readonly multiple: boolean;
  readonly target: FileTarget;
}

/** Calls back for each file chooser that the page opens after an act of the person; `cancel`: the page gets no files. */
function onChooser(scope: Scope, opened: (wanted: () => Promise<Wanted>, cancel: () => void) => void): void {
  const { cdp, input, tab } = scope;
  cdp.on('Page.fileChooserOpened', ({ frameId, mode, backendNodeId }) => {
    const frame = cdp.frameOf(frameId);
    // Chromium demands an act of the person, and so do we: the event comes from a renderer.
    if (frame === undefined || backendNodeId === undefined || !input.gesture.isActive()) return;
    const cancel = (): void => {
      fireCancel(scope, { frame, backendNodeId }).catch(() => undefined); // it has gone with its document
    };
    opened(async () => {
      const { accept, folder } = await wishesOf(scope, { frame, backendNodeId });
      const give: FileTarget['give'] = async (staged) => {
        await staged.give({ tab: tab.id, frame, backendNodeId, asFolder: folder });
        return true;
      };
      return { accept, folder, multiple: mode === 'selectMultiple', target: { frame, asFolder: folder, give, cancel } };
    }, cancel);
  });
}

/** Takes files that are dragged over the page. `offer` begins with those that are dropped; it answers with their number, or null. */
function takeDrags(
  scope: Scope,
  running: RunningUploads,
  offer: (target: FileTarget) => number | null,
): Pick<DraggedFiles, 'leave'> {
  const { commands, input, records } = scope;
  const dragged = new DraggedFiles(scope, running);
  commands.handle(dragOver, async ({ target, modifiers, types }): Promise<ResultOf<typeof dragOver>> => ({
    // Where the policy allows none the page hears of nothing, and the person reads so once they drop them.
    isTaken: mayDrag(scope) && (!isAllowed(scope) || (await dragged.over(target, modifiers, types))),
  }));
  commands.handle(dragLeave, () => dragged.leave());
  commands.handle(dropFiles, async ({ target, modifiers }): Promise<ResultOf<typeof dropFiles>> => {
    void input.enqueue(() => undefined, { isPress: true });
    await dragged.leave();
    const id = mayDrag(scope) ? offer(dragged.target(target, modifiers)) : null;
    if (id !== null) records.count('dropped');
    return { id };
  });
  return dragged;
}

/** Takes files that are pasted into the page, once the person's input before them is there. */
function takePastes(scope: Scope, refuses: () => boolean, offer: (target: FileTarget) => number): void {
  const { commands, input, records, log } = scope;
  commands.handle(pasteFiles, async ({ frame }): Promise<ResultOf<typeof pasteFiles>> => {
    if (refuses()) return { id: null };
    await input.handled(); // its key may have moved the focus
    try {
      const id = offer(await pasteTarget(scope, frame));
      records.count('pasted');
      return { id };
    } catch (thrown) {
      log.info('a page takes no paste', { error: toAppError(thrown).message });
      return { id: null };
    }
  });
}

function mayDrag({ tab }: Pick<Scope, 'tab'>): boolean {
  return tab.policy().session.backend_drag_drop;
}

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
    address: tab.url(),
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
