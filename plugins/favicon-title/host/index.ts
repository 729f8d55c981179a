import { toAppError } from '../../../core/protocol/errors.ts';
import { pageHistoryToken } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { favicon, MAX_TITLE, pageIdentity, setTitle } from '../protocol.ts';

/**
 * Sends title and icon of the main frame to the client. The icon's address becomes an opaque token, and is sent once the icon is known to
 * exist: the person's browser would log an error for a missing one.
 */
export const activate: ActivateHost = (scope) => {
  let title = '';
  /** Path of the page's icon, and whether it exists; undefined: not known yet. */
  let icon = '';
  let isThere: boolean | undefined = false;
  /** The check failed with a retryable error: the next message of the page causes another check. */
  let isLate = false;
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
  const sendIcon = (address: string): void => inEntry(() => scope.commands.send(favicon, { address }));
  const send = (): void => {
    const now = title;
    inEntry(() => scope.commands.send(setTitle, { title: now }));
    if (isAnother) sendIcon('');
    else if (isThere !== undefined) sendIcon(isThere ? icon : '');
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || nameOf(frame.url);
    take(identity.icon ? iconOf(identity.icon) : '');
    // Until the icon is found, the tab would keep that of the previous document for as long as this page wants.
    if (isAnother && isThere === undefined) sendIcon('');
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
    take('');
    send();
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && title) send();
  });

  function iconOf(address: string): string {
    const isImage = /^(https?:|data:image\/)/i.test(address);
    return isImage ? scope.tab.resource('i', address, 1) : '';
  }

  /** Checks an icon that differs from the previous one, or whose check failed. */
  function take(path: string): void {
    if (path === icon && !isLate) return;
    icon = path;
    isLate = false;
    isThere = path === '' ? false : undefined;
    if (path === '') return;
    const shown = scope.tab.shows(path).catch((thrown: unknown) => {
      isLate ||= icon === path && toAppError(thrown).retryable;
      return false;
    });
    void shown.then((shows) => {
      if (icon !== path || scope.signal.aborted) return; // superseded
      isThere = shows;
      if (!isAnother) sendIcon(shows ? path : '');
    });
  }
};

/** Name of a page without a title: the host of its site, or of the one that has made it; the address where there is none. */
function nameOf(address: string): string {
  const url = URL.parse(address);
  return (url?.host || URL.parse(url?.origin ?? '')?.host || address).slice(0, MAX_TITLE);
}
