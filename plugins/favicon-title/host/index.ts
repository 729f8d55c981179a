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
  /** The page has a new document since the icon was last sent. */
  let isAnother = false;
  /** Browsers keep the title with the entry of the history: it comes once the client is in the right one. */
  const sendTitle = (): void => {
    const now = title;
    const tell = (): void => scope.commands.send(setTitle, { title: now });
    const history = scope.services.find(pageHistoryToken);
    if (history) void history.followed().then(tell);
    else tell();
  };
  const send = (): void => {
    sendTitle();
    if (isThere !== undefined) scope.commands.send(favicon, { address: isThere ? icon : '' });
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || nameOf(frame.url);
    take(identity.icon ? iconOf(identity.icon) : '');
    send();
    // Until the icon is found, the tab would keep that of the previous document, possibly of another site, for as long as this page wants.
    if (isAnother && isThere === undefined) scope.commands.send(favicon, { address: '' });
    isAnother = false;
  });
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === 1 && !sameDocument) isAnother = true;
  });
  scope.hooks.tap(scope.tab.hooks.navigationFailed, ({ frame, url, errorText }) => {
    if (frame !== 1 || errorText === 'net::ERR_ABORTED') return; // the page stays
    title = nameOf(url);
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
      scope.commands.send(favicon, { address: shows ? path : '' });
    });
  }
};

/** Name of a page without a title: the host of its site, or of the one that has made it; the address where there is none. */
function nameOf(address: string): string {
  const url = URL.parse(address);
  return (url?.host || URL.parse(url?.origin ?? '')?.host || address).slice(0, MAX_TITLE);
}
