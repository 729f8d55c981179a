import { fileDeskToken } from '../../../host/plugin.ts';
import type { ActivateSession, SettingValues } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { DownloadList, downloadTabsToken } from './download-list.ts';

/** Takes the downloads of the person's surrogate, and keeps the list of them (M-090). */
export const activateSession: ActivateSession = ({ session, surrogate, services, records, log, onDispose }) => {
  const list = new DownloadList({
    desk: () => services.get(fileDeskToken), // its plugin may be activated later: `requires` would hold for clients as well
    policyOf: (tab) => (tab.policy() as unknown as SettingValues<typeof manifest>).transfers, // it has those of all plugins
    tabs: () => session.tabs(),
    records,
    log,
  });
  services.provide(downloadTabsToken, list);
  surrogate.onDownload((download) => void list.take(download));
  onDispose(() => list.dispose());
};
