import { pageHistoryToken } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { favicon, MAX_TITLE, pageIdentity, setTitle } from '../protocol.ts';
import { PageIcon } from './page-icon.ts';

/**
 * Sends title and icon of the main frame to the client. The icon's address becomes an opaque token, and is sent once the icon is known to
 * exist: the person's browser would log an error for a missing one.
 */
export const activate: ActivateHost = (scope) => {
  let title = '';
  /** Address of the main frame's document, as its process says. */
  let shown = '';
  /** The page has a new document, which has not said its title and icon yet. */
  let isAnother = false;
  /** Browsers keep the title with the entry of the history, and show both by its address: they come once the client is in the right one. */
  const inEntry = (tell: () => void): void => {
    const history = scope.services.find(pageHistoryToken);
    if (history) void history.followed().then(tell);
    else tell();
  };
  const sendIcon = (address: string | undefined): void => {
    if (address !== undefined) inEntry(() => scope.commands.send(favicon, { address }));
  };
  const icon = new PageIcon({
    shows: (path) => scope.tab.shows(path),
    onKnown: () => {
      if (!isAnother) sendIcon(icon.shown);
    },
    signal: scope.signal,
  });
  scope.onDispose(() => icon.dispose());
  const send = (): void => {
    const now = title;
    inEntry(() => scope.commands.send(setTitle, { title: now }));
    sendIcon(isAnother ? '' : icon.shown);
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || nameOf(frame.url);
    icon.take(identity.icon ? iconOf(identity.icon) : '');
    // Until the icon is found, the tab would keep that of the previous document for as long as this page wants.
    if (isAnother && icon.shown === undefined) sendIcon('');
    isAnother = false;
    send();
  });
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, url, sameDocument }) => {
    if (frame !== 1) return;
    const isElsewhere = url !== shown && !url.startsWith('chrome-error:'); // the failure follows
    shown = url;
    if (sameDocument) return;
    isAnother = true;
    if (!isElsewhere) return;
    // A page that says nothing of itself would keep title and icon of the one before it, possibly of another site.
    title = nameOf(url);
    queueMicrotask(send); // all other plugins know of the document by then
  });
  scope.hooks.tap(scope.tab.hooks.navigationFailed, ({ frame, url, errorText }) => {
    if (frame !== 1 || errorText === 'net::ERR_ABORTED') return; // the page stays
    title = nameOf(url);
    isAnother = false;
    icon.take('');
    send();
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && title) send();
  });

  function iconOf(address: string): string {
    const isImage = /^(https?:|data:image\/)/i.test(address);
    return isImage ? scope.tab.resource('i', address, 1) : '';
  }
};

/** Name of a page without a title: the host of its site, or of the one that has made it; the address where there is none. */
function nameOf(address: string): string {
  const url = URL.parse(address);
  return (url?.host || URL.parse(url?.origin ?? '')?.host || address).slice(0, MAX_TITLE);
}
