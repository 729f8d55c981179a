import { slot, SLOTS, textsToken, unfinishedWork } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution } from '../../../core/index.ts';
import {
  cancelDownload,
  dlResume,
  dlSaveProg,
  dlTcUiFinished,
  downloadAgain,
  downloadCancelled,
  downloadIgnored,
  downloadRequested,
  downloadRestoreProg,
  downloadStatusUpdated,
} from '../protocol.ts';
import { checkDownload, endOfFile } from './check.ts';
import type { PasswordProps } from './password.tsx';
import type { RefusedProps } from './refused.tsx';
import { saveFile } from './save.ts';
import type { TrayProps } from './tray.tsx';
import { Transfers } from './transfers.ts';
import type { Transfer } from './transfers.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

const tray: SlotContribution<TrayProps> = { load: () => import('./tray.tsx'), order: 100 };
const refused = slot<RefusedProps>('downloads.refused', 'dialog');
const password = slot<PasswordProps>('downloads.password', 'dialog');
const prompt: SlotContribution<PasswordProps> = { load: () => import('./password.tsx') };
const notice: SlotContribution<RefusedProps> = { load: () => import('./refused.tsx') };

/** Shows the downloads of the page in a tray, and has the browser save them once the host lets them go (M-030, M-033 to M-036, M-069). */
export const activate: ActivateClient = async ({
  commands,
  events,
  log,
  services,
  session,
  slots,
  signal,
  onDispose,
}) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  const unfinished = unfinishedWork(window, 'downloads', {
    cid: session.cid,
    tab: session.pairing.tab_id,
    read: nameOf,
  });
  let empty: (() => void) | undefined;

  /** Asks for the password of a file (M-006, M-034). */
  const unlock = async ({ id, filename }: Transfer, isAgain: boolean, over: AbortSignal): Promise<void> => {
    const answer = await slots.ask(password, prompt, { filename, isAgain, texts }, over);
    if (over.aborted) return;
    if (answer === undefined || answer === null) transfers.cancel(id);
    else commands.send(dlResume, { id, password: answer });
  };
  const onCallFailed: Parameters<typeof endOfFile>[1] = (label, message, status) =>
    events.report('tc-server-call-failed', { label, message, data: { status } }, { level: 'warning', force: true });
  const transfers: Transfers = new Transfers({
    check: (item, onState, over) => {
      const ends = AbortSignal.any([signal, over]);
      const onLocked = (isAgain: boolean): void => void unlock(item, isAgain, ends);
      return checkDownload(item, { onCallFailed, onState, onLocked }, ends);
    },
    endOf: (item) => endOfFile(item, onCallFailed, signal),
    save: (item) => {
      saveFile(item);
      commands.send(dlSaveProg, { id: item.id });
    },
    cancel: (id) => commands.send(cancelDownload, { id }),
    again: (id) => commands.send(downloadAgain, { id }),
    forget: (id) => commands.send(dlTcUiFinished, { id }),
    onFault: (thrown) => log.warn('a download could not be checked', { reason: String(thrown) }),
    onShown: (isShown) => {
      if (isShown) empty ??= slots.fill(SLOTS.panel, tray, { transfers, texts });
      else {
        empty?.();
        empty = undefined;
      }
    },
    onUnfinished: (names) => unfinished.keep(names),
  });
  transfers.addLost(unfinished.lost);
  commands.handle(downloadRequested, ({ replaces, ...record }) =>
    transfers.add(record, { status: 'started', replaces }),
  );
  commands.handle(downloadRestoreProg, ({ status, reason, most, saved, scanned, ...record }) =>
    transfers.add(record, { status, reason, most, saved, scanned }),
  );
  commands.handle(downloadStatusUpdated, ({ id, status, ...progress }) => transfers.update(id, status, progress));
  commands.handle(downloadCancelled, ({ id, reason, most }) => transfers.cancelled(id, reason, most));
  let isRefusing = false;
  commands.handle(downloadIgnored, async ({ filename, site }) => {
    if (isRefusing) return; // one dialog says it
    isRefusing = true;
    await slots.ask(refused, notice, { filename, site, texts });
    isRefusing = false;
  });
  onDispose(() => {
    transfers.dispose();
    empty?.();
  });
};

const nameOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
