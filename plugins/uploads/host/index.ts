import { toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope, ParamsOf, ResultOf } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import {
  abortUpload,
  dragLeave,
  dragOver,
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
import { addressesOf } from './frame-addresses.ts';
import { HeldUploads } from './held-uploads.ts';
import { pasteTarget } from './pasted.ts';
import { runningUploadsToken } from './session.ts';
import type { RunningUploads } from './session.ts';
import { filesLine } from './transfer-line.ts';
import { roomFor, Upload } from './upload.ts';
import type { FileTarget } from './upload.ts';

const MAIN_FRAME = 1;
const MIB = 1024 * 1024;

type Scope = HostScope<typeof manifest>;

/** The setting of the plugin that pastes, where the build has it. */
interface PastePolicy {
  readonly copy_paste?: { readonly restrict_paste: boolean };
}

/** Asks the person for the files that a page wants, and gives them to it (M-041, M-080, M-091). */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, frames, hooks, tab, services, records, onDispose } = scope;
  const running = services.get(runningUploadsToken);
  const held = new HeldUploads(running);
  const asked = new Asked();

  const refuses = (refusing = refusedBy(scope), files?: readonly ChosenFile[]): boolean => {
    if (refusing === undefined) return false;
    records.count('refused');
    note(scope, 'refused', files, siteOf(refusing));
    commands.send(uploadsDisabled, { site: siteOf(refusing) });
    return true;
  };
  /** Offers files to a target that takes several, unless its frame may have none. */
  const offer = (target: FileTarget): number | null =>
    refuses(refusedBy(scope, target.addresses)) ? null : asked.offer(target);
  takeChoosers(scope, asked, refuses);
  const dragged = takeDrags(scope, running, asked, offer);
  takePastes(scope, asked, () => refuses(refusedBy(scope) ?? (mayDrag(scope) ? undefined : tab.url())), offer);
  commands.handle(fileChooserCancelled, ({ id }) => {
    if (asked.has(id)) asked.cancel();
  });
  commands.handle(upload, ({ id, files }) => {
    // Another chooser has taken its place, or the policy has changed meanwhile.
    const wish = asked.take(id);
    if (!wish || refuses(refusedBy(scope, wish.target.addresses), files)) {
      commands.send(uploadAborted, { id, reason: wish ? UPLOAD_END.host : UPLOAD_END.pageLeft });
      wish?.target.cancel?.();
      return;
    }
    const { target, multiple } = wish;
    const addresses = [...new Set([tab.url(), ...target.addresses])];
    if (refusesFiles(scope, running, { id, files, isMultiple: multiple, addresses })) {
      target.cancel?.();
      return;
    }
    const roomless = (): ReturnType<typeof noRoomFor> =>
      held.isFull ? { reason: UPLOAD_END.pageFull } : noRoomFor(files, running);
    let full = roomless();
    if (full && held.dropGone()) full = roomless();
    if (full) {
      note(scope, full.reason === UPLOAD_END.noRoom ? 'no-room' : 'page-full', files);
      commands.send(uploadAborted, { id, ...full });
      target.cancel?.();
      return;
    }
    const begun = uploadOf(scope, running, { id, files, target, addresses });
    held.add(id, begun, target.frame);
    commands.send(uploadAck, { id, uploadId: begun.id });
  });
  takeActs(scope, held);

  const left = (frame: number): void => {
    asked.left(frame);
    held.left(frame);
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) left(frame);
  });
  frames.onGone((frame) => {
    asked.left(frame);
    held.gone(frame);
  });
  hooks.tap(tab.hooks.replaced, () => left(MAIN_FRAME));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    asked.cancel();
    // For a document that has only lost what it was sent; others know none of them.
    for (const id of held.abort()) commands.send(uploadAborted, { id, reason: UPLOAD_END.host });
  });
  onDispose(() => {
    held.dispose();
    void dragged.leave();
  });
};

/** Notes an upload that does not begin in the event file. `refusing`: the site of the page, or in it, that gets none. */
function note({ records, tab }: Scope, outcome: string, files: readonly ChosenFile[] = [], refusing?: string): void {
  const why = { outcome, ...(refusing !== undefined && { refusing }) };
  records.append('transfers', { direction: 'up', site: siteOf(tab.url()), ...filesLine(files), ...why });
}

/** Why files have no room beside those that pages of the person have, and those that are on their way; undefined where they have. */
function noRoomFor(
  files: readonly ChosenFile[],
  running: RunningUploads,
): Omit<ParamsOf<typeof uploadAborted>, 'id'> | undefined {
  const { most, left } = running.room();
  return roomFor(files) <= left ? undefined : { reason: UPLOAD_END.noRoom, most: Math.floor(most / MIB) };
}

/** Takes what the client says of an upload that runs. */
function takeActs({ commands, log }: Scope, held: HeldUploads): void {
  commands.handle(uploadUnlock, ({ id, file, password }) => held.get(id)?.unlock(file, password));
  commands.handle(resumeUpload, async ({ id, file }): Promise<ResultOf<typeof resumeUpload>> => ({
    received: (await held.get(id)?.resume(file)) ?? null,
  }));
  commands.handle(leaveOut, ({ id, file }) => held.get(id)?.leaveOut(file));
  commands.handle(uploadGoOn, ({ id }) => held.get(id)?.goOn());
  commands.handle(abortUpload, ({ id, why }) => {
    if (why !== 'canceled') log.info('a client could not send a file', { upload: id, why });
    held.get(id)?.stop(why);
  });
}

interface Chosen {
  readonly id: number;
  readonly files: readonly ChosenFile[];
  readonly isMultiple: boolean;
  /** Of the page, and of the frame that gets them. */
  readonly addresses: readonly string[];
}

/** Notifies the client where the policy allows no such files; answers whether that is so. */
function refusesFiles(scope: Scope, { desk }: RunningUploads, { id, ...chosen }: Chosen): boolean {
  const { commands, records, tab } = scope;
  const refused = refusalOf(scope, desk, chosen);
  if (!refused) return false;
  records.count('blocked', chosen.files.length);
  const { lines, ...why } = refused;
  commands.send(uploadBlocked, { id, left: 0, ...why });
  const site = siteOf(tab.url());
  for (const line of lines)
    records.append('transfers', { direction: 'up', site, outcome: why.files[0].reason, ...line });
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
    const known = addressesOf(scope, frame); // of the document that asks, whatever comes after it
    opened(async () => {
      const wishes = await wishesOf(scope, { frame, backendNodeId });
      const give: FileTarget['give'] = async (staged) => {
        await staged.give({ tab: tab.id, frame, backendNodeId, asFolder: wishes.folder });
        return true;
      };
      const target = { frame, addresses: await known, asFolder: wishes.folder, give, cancel };
      return { ...wishes, multiple: mode === 'selectMultiple', target };
    }, cancel);
  });
}

/** Asks the person for the files that choosers of the page want. */
function takeChoosers(scope: Scope, asked: Asked, refuses: (refusing: string | undefined) => boolean): void {
  const { commands, records, log } = scope;
  onChooser(scope, (wanted, cancel) => {
    records.count('asked');
    if (refuses(refusedBy(scope))) {
      cancel();
      return;
    }
    const id = asked.next();
    const ask = async (): Promise<void> => {
      const { target, ...rest } = await wanted();
      if (refuses(refusedBy(scope, target.addresses))) {
        cancel();
        return;
      }
      const isAsked = asked.set({ id, target, multiple: rest.multiple || rest.folder });
      if (isAsked) commands.send(runFileChooser, { id, ...rest });
    };
    ask().catch((thrown: unknown) => log.info('a file chooser has gone', { error: toAppError(thrown).message }));
  });
}

/** Takes files that are dragged over the page. `offer` begins with those that are dropped; it answers with their number, or null. */
function takeDrags(
  scope: Scope,
  running: RunningUploads,
  asked: Pick<Asked, 'inDocument'>,
  offer: (target: FileTarget) => number | null,
): Pick<DraggedFiles, 'leave'> {
  const { commands, input, records } = scope;
  const dragged = new DraggedFiles(scope, running);
  /** Addresses of the frames that the files have been over. */
  const seen = new Map<number, Promise<readonly string[]>>();
  const isOver = async ({ target, modifiers, types }: ParamsOf<typeof dragOver>): Promise<boolean> => {
    if (!mayDrag(scope)) return false;
    const { frame } = target;
    const addresses = seen.get(frame) ?? addressesOf(scope, frame);
    seen.set(frame, addresses);
    if (refusedBy(scope, await addresses) === undefined) return dragged.over(target, modifiers, types);
    // The page hears of nothing, and the person reads why once they drop them.
    await dragged.leave();
    return true;
  };
  commands.handle(dragOver, async (params): Promise<ResultOf<typeof dragOver>> => ({ isTaken: await isOver(params) }));
  commands.handle(dragLeave, () => {
    seen.clear();
    return dragged.leave();
  });
  commands.handle(dropFiles, async ({ target, modifiers }): Promise<ResultOf<typeof dropFiles>> => {
    void input.enqueue(() => undefined, { isPress: true });
    const dropped = await asked.inDocument(target.frame, async () => {
      const known = dragged.target(target, modifiers);
      seen.clear();
      await dragged.leave();
      return known;
    });
    const id = dropped && mayDrag(scope) ? offer(dropped) : null; // the files were meant for the document before
    if (id !== null) records.count('dropped');
    return { id };
  });
  return dragged;
}

/** Takes files that are pasted into the page, once the person's input before them is there. */
function takePastes(
  scope: Scope,
  asked: Pick<Asked, 'inDocument'>,
  refuses: () => boolean,
  offer: (target: FileTarget) => number | null,
): void {
  const { commands, input, records, log } = scope;
  commands.handle(pasteFiles, async ({ frame }): Promise<ResultOf<typeof pasteFiles>> => {
    if (refuses()) return { id: null };
    try {
      const target = await asked.inDocument(frame, async () => {
        await input.handled(); // its key may have moved the focus
        return pasteTarget(scope, frame);
      });
      const id = target ? offer(target) : null; // the files were meant for the document before
      if (id !== null) records.count('pasted');
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

/**
 * Address of the page, or of a frame in it, whose site gets no files by the policy; undefined where each may have some. A policy that restricts
 * pasting lets nobody bring in files either.
 */
function refusedBy({ tab }: Pick<Scope, 'tab'>, frame: readonly string[] = []): string | undefined {
  return [tab.url(), ...frame].find((address) => {
    const { transfers, copy_paste: paste } = tab.policy(address) as ReturnType<Scope['tab']['policy']> & PastePolicy;
    return !transfers.uploads || paste?.restrict_paste === true;
  });
}

/** An upload whose events go to the client. */
function uploadOf(
  { commands, tab, records, log }: Scope,
  running: RunningUploads,
  { id, ...way }: Pick<Chosen, 'id' | 'files' | 'addresses'> & { readonly target: FileTarget },
): Upload {
  return new Upload({
    ...way,
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
