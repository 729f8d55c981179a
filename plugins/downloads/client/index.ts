import { slot, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution } from '../../../core/index.ts';
import {
  cancelDownload,
  dlSaveProg,
  dlTcUiFinished,
  downloadCancelled,
  downloadIgnored,
  downloadRequested,
  downloadRestoreProg,
  downloadStatusUpdated,
} from '../protocol.ts';
import { checkDownload } from './check.ts';
import type { RefusedProps } from './refused.tsx';
import { saveFile } from './save.ts';
import styles from './tray.css';
import type { TrayProps } from './tray.tsx';
import { Transfers } from './transfers.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

const tray: SlotContribution<TrayProps> = { load: () => import('./tray.tsx'), styles: [styles], order: 100 };
const refused = slot<RefusedProps>('downloads.refused', 'dialog');
const notice: SlotContribution<RefusedProps> = { load: () => import('./refused.tsx') };

/** Shows the downloads of the page in a tray, and has the browser save them once the host lets them go (M-030, M-033 to M-036, M-069). */
export const activate: ActivateClient = async ({ commands, log, services, session, slots, signal, onDispose }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let empty: (() => void) | undefined;

  const transfers: Transfers = new Transfers({
    check: (item, onState, over) =>
      checkDownload(
        item,
        { rid: session.pairing.rid, pageUrl: session.pageUrl(), onState },
        AbortSignal.any([signal, over]),
      ),
    save: (item) => {
      saveFile(item);
      commands.send(dlSaveProg, { id: item.id });
    },
    cancel: (id) => commands.send(cancelDownload, { id }),
    forget: (id) => commands.send(dlTcUiFinished, { id }),
    onFault: (thrown) => log.warn('a download could not be checked', { reason: String(thrown) }),
    onShown: (isShown) => {
      if (isShown) empty ??= slots.fill(SLOTS.panel, tray, { transfers, texts });
      else {
        empty?.();
        empty = undefined;
      }
    },
  });
  commands.handle(downloadRequested, (record) => transfers.add({ ...record, status: 'started', saved: false }));
  commands.handle(downloadRestoreProg, (item) => transfers.add(item));
  commands.handle(downloadStatusUpdated, (update) => transfers.update(update));
  commands.handle(downloadCancelled, ({ id, reason, most }) => transfers.cancelled(id, reason, most));
  commands.handle(downloadIgnored, ({ filename, site }) => void slots.ask(refused, notice, { filename, site, texts }));
  onDispose(() => {
    transfers.dispose();
    empty?.();
  });
};
