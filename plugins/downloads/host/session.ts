import { fileDeskToken, personDownloadsToken } from '../../../host/plugin.ts';
import type { ActivateSession, SettingValues } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { DownloadList, downloadTabsToken } from './download-list.ts';
import { wholeDownload } from './whole-download.ts';
import { FirstAddresses } from './first-addresses.ts';

/** Takes the downloads of the person's surrogate, and keeps the list of them (M-090). */
export const activateSession: ActivateSession = ({ session, surrogate, services, records, log, onDispose }) => {
  const firsts = new FirstAddresses();
  const list = new DownloadList({
    desk: () => services.get(fileDeskToken), // its plugin may be activated later: `requires` would hold for clients as well
    policyOf: (tab, addresses) => (tab.policy(addresses) as unknown as SettingValues<typeof manifest>).transfers, // it has those of all plugins
    firstOf: (url) => firsts.of(url),
    tabs: () => session.tabs(),
    records,
    log,
  });
  services.provide(downloadTabsToken, list);
  services.provide(personDownloadsToken, {
    save: (tab, file) => {
      const from = session.tabs().find(({ id }) => id === tab);
      void list.take(wholeDownload(from, file), file.addresses);
    },
  });
  surrogate.onExtensionCall((value) => Promise.resolve(firsts.tell(value)));
  surrogate.onDownload((download) => void list.take(download));
  onDispose(() => list.dispose());
};
