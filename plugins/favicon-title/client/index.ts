import { personHistoryToken, rememberPage } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { favicon, setTitle } from '../protocol.ts';

/** Whether an icon's address may be used: a data address of an image, or one of the host's own resources (M-063). */
function isAllowedIcon(address: string): boolean {
  return /^data:image\//i.test(address) || /^\/c\/i\/[\w.-]+$/.test(address);
}

/** The name and password of a person in an address, which are not kept. */
const CREDENTIALS = /^(https?:\/\/)[^/?#]*@/;

/** An empty icon, so that the browser does not request the host's default icon. */
const NO_ICON = 'data:,';

/** Sets title and icon of the local tab (M-095). */
export const activate: ActivateClient = (scope) => {
  const inEntry = (show: () => void): void => {
    const history = scope.services.find(personHistoryToken);
    if (history) history.inEntry(show);
    else show();
  };
  scope.commands.handle(setTitle, ({ title }) =>
    inEntry(() => {
      document.title = title;
      remember({ url: scope.session.pageUrl().replace(CREDENTIALS, '$1'), title });
    }),
  );
  scope.commands.handle(favicon, ({ address }) => {
    if (address !== '' && !isAllowedIcon(address)) return;
    inEntry(() => {
      const link = document.createElement('link');
      link.rel = 'icon';
      link.href = address || NO_ICON;
      for (const old of document.head.querySelectorAll('link[rel~="icon"]')) old.remove();
      document.head.append(link);
    });
  });
};

function remember(page: Parameters<typeof rememberPage>[1]): void {
  try {
    rememberPage(localStorage, page);
  } catch {
    // The browser's settings forbid storage; recent pages are optional.
  }
}
