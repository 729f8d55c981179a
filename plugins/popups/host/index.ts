import { openedWindowsToken, personLinksToken } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { allowTabOpen, openLink, separate, tabClose } from '../protocol.ts';
import { linksOfFrames } from './links-of-frames.ts';
import { PageWindows } from './page-windows.ts';

const MAIN_FRAME = 1;

/**
 * Tells the client of windows that the page opens (M-083), asks the person where nobody has acted, and has the frame of a link open it
 * as a window, so that it is the initiator of the request as in direct browsing.
 */
export const activate: ActivateHost = (scope) => {
  const { commands, hooks, cdp, page, tab, services, onDispose } = scope;
  const windows = new PageWindows({
    scope,
    close: (token) => services.get(openedWindowsToken).close(token),
  });
  onDispose(() => windows.dispose());

  cdp.on('Page.windowOpen', (call, { frame }) => void windows.called(call, frame === 0 ? MAIN_FRAME : frame));
  hooks.tap(tab.hooks.windowOpened, (opened) => {
    void windows.opened(opened);
    page.send(MAIN_FRAME, separate, undefined);
  });
  hooks.tap(tab.hooks.windowClosed, ({ token }) => windows.closed(token));
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) windows.askAgain();
  });
  hooks.tap(tab.hooks.replaced, () => windows.withdraw());
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === MAIN_FRAME && !sameDocument) windows.withdraw();
  });
  commands.handle(allowTabOpen, ({ id, allowed }) => windows.answered(id, allowed));
  commands.handle(tabClose, ({ id }) => windows.close(id));

  const links = linksOfFrames(scope);
  commands.handle(openLink, ({ frame, url }) => links.follow(frame, url));
  services.provide(personLinksToken, links);
};
