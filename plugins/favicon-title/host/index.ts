import type { ActivateHost } from '../../../host/plugin.ts';
import { favicon, pageIdentity, setTitle } from '../protocol.ts';

/** Hands title and icon of the main frame on; the icon's address becomes an opaque token. */
export const activate: ActivateHost = (scope) => {
  let title = '';
  let icon = '';
  const send = (): void => {
    scope.commands.send(setTitle, { title });
    scope.commands.send(favicon, { address: icon });
  };
  scope.page.handle(pageIdentity, (identity, frame) => {
    if (frame.id !== 1) return; // only the main frame names the tab
    title = identity.title || (URL.parse(frame.url)?.host ?? '');
    icon = identity.icon ? iconOf(identity.icon) : '';
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
