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
  const send = (): void => {
    scope.commands.send(setTitle, { title });
    if (isThere !== undefined) scope.commands.send(favicon, { address: isThere ? icon : '' });
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || (URL.parse(frame.url)?.host ?? '');
    take(identity.icon ? iconOf(identity.icon) : '');
    send();
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && title) send();
  });

  function iconOf(address: string): string {
    const isImage = /^(https?:|data:image\/)/i.test(address);
    return isImage ? scope.tab.resource('i', address, 1) : '';
  }

  /** Looks for an icon that is not the one before. */
  function take(path: string): void {
    if (path === icon) return;
    icon = path;
    isThere = path === '' ? false : undefined;
    if (path === '') return;
    void scope.tab.shows(path).then((shows) => {
      if (icon !== path || scope.signal.aborted) return; // there is another one by now
      isThere = shows;
      scope.commands.send(favicon, { address: shows ? path : '' });
    });
  }
};
