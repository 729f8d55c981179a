import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
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
import { askAgain } from './ask-again.ts';
import { downloadTabsToken } from './download-list.ts';

/** Tells the client of a tab about its downloads (M-015, M-030, M-040, M-090). */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, hooks, services, tab, onDispose } = scope;
  const list = services.get(downloadTabsToken);
  const detach = list.attach(tab.id, {
    requested: (record, replaces) =>
      commands.send(downloadRequested, { ...record, ...(replaces !== undefined && { replaces }) }),
    updated: (id, status, progress) => commands.send(downloadStatusUpdated, { id, status, ...progress }),
    cancelled: (id, reason, most) =>
      commands.send(downloadCancelled, { id, reason, ...(most !== undefined && { most }) }),
    ignored: (filename, site) => commands.send(downloadIgnored, { filename, site }),
    failed: (id, filename, reason) => {
      commands.send(downloadRequested, { id, uri: '', filename, asked: false, again: false, key: '', received: 0 });
      commands.send(downloadCancelled, { id, reason });
    },
    restored: (item) => commands.send(downloadRestoreProg, item),
    again: (place) => askAgain(scope, place),
  });
  let isClaimed = false;
  onDispose(() => {
    if (!isClaimed) list.abandon(tab.id);
    detach();
  });
  commands.handle(cancelDownload, ({ id }) => list.cancel(tab.id, id));
  commands.handle(downloadAgain, ({ id }) => list.again(tab.id, id));
  commands.handle(dlResume, ({ id, password }) => list.resume(tab.id, id, password));
  commands.handle(dlSaveProg, ({ id }) => list.saved(tab.id, id));
  commands.handle(dlTcUiFinished, ({ id }) => list.forget(tab.id, id));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    isClaimed = true;
    if (fresh) list.restore(tab.id);
  });
};
