import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { openLink, tabOpen } from '../protocol.ts';
import { watchLinks } from './link-tabs.ts';
import { openedPath } from './opened-path.ts';

/** Shows windows of the page, and links that the person opens in a new tab, in tabs of the person's browser. Its own rules for popups apply. */
export const activate: ActivateClient = ({ commands, services, session, onDispose }) => {
  commands.handle(tabOpen, ({ token, url }) => {
    session.openTab(openedPath(url, session.prefix, token));
  });
  onDispose(watchLinks(services.get(rendererToken), (frame, url) => commands.send(openLink, { frame, url })));
};
