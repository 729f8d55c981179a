import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import {
  cancelDownload,
  dlResume,
  dlSaveProg,
  dlTcUiFinished,
  downloadCancelled,
  downloadIgnored,
  downloadRequested,
  downloadRestoreProg,
  downloadStatusUpdated,
} from '../protocol.ts';
import { downloadTabsToken } from './download-list.ts';

/** Tells the client of a tab about its downloads (M-015, M-030, M-040, M-090). */
export const activate: ActivateHost<typeof manifest> = ({ commands, hooks, services, tab, onDispose }) => {
  const list = services.get(downloadTabsToken);
  const detach = list.attach(tab.id, {
    requested: (record) => commands.send(downloadRequested, record),
    updated: (id, status, progress) => commands.send(downloadStatusUpdated, { id, status, ...progress }),
    cancelled: (id, reason, most) =>
      commands.send(downloadCancelled, { id, reason, ...(most !== undefined && { most }) }),
    ignored: (filename, site) => commands.send(downloadIgnored, { filename, site }),
    failed: (id, filename, reason) => {
      commands.send(downloadRequested, { id, uri: '', filename, asked: false, key: '', received: 0 });
      commands.send(downloadCancelled, { id, reason });
    },
    restored: (item) => commands.send(downloadRestoreProg, item),
  });
  let isClaimed = false;
  onDispose(() => {
    if (!isClaimed) list.abandon(tab.id);
    detach();
  });
  commands.handle(cancelDownload, ({ id }) => list.cancel(tab.id, id));
  commands.handle(dlResume, ({ id, password }) => list.resume(tab.id, id, password));
  commands.handle(dlSaveProg, ({ id }) => list.saved(tab.id, id));
  commands.handle(dlTcUiFinished, ({ id }) => list.forget(tab.id, id));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    isClaimed = true;
    if (fresh) list.restore(tab.id);
  });
};
