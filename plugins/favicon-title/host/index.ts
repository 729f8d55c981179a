import { toAppError } from '../../../core/protocol/errors.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { favicon, pageIdentity, setTitle } from '../protocol.ts';

/**
 * Hands title and icon of the main frame on; the icon's address becomes an opaque token, once there is an icon: the person's browser
 * would complain about one that it does not get.
 */
export const activate: ActivateHost = (scope) => {
  let title = '';
  /** Path of the icon that the page names, and whether it is there: unknown yet, when undefined. */
  let icon = '';
  let isThere: boolean | undefined = false;
  /** It could not be told: the next word of the page is reason to look again. */
  let isLate = false;
  /** The page has another document than the one whose icon was told last. */
  let isAnother = false;
  const send = (): void => {
    scope.commands.send(setTitle, { title });
    if (isThere !== undefined) scope.commands.send(favicon, { address: isThere ? icon : '' });
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || (URL.parse(frame.url)?.host ?? '');
    take(identity.icon ? iconOf(identity.icon) : '');
    send();
    // Until the icon is found the tab has that of the document before: of another site, as long as this one likes.
    if (isAnother && isThere === undefined) scope.commands.send(favicon, { address: '' });
    isAnother = false;
  });
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === 1 && !sameDocument) isAnother = true;
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && title) send();
  });

  function iconOf(address: string): string {
    const isImage = /^(https?:|data:image\/)/i.test(address);
    return isImage ? scope.tab.resource('i', address, 1) : '';
  }

  /** Looks for an icon that is not the one before, or could not be looked for. */
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
      if (icon !== path || scope.signal.aborted) return; // there is another one by now
      isThere = shows;
      scope.commands.send(favicon, { address: shows ? path : '' });
    });
  }
};
