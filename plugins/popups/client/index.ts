import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { applicationLinks } from '../../../core/protocol/application-link.ts';
import { openLink, tabOpen } from '../protocol.ts';
import { watchApplicationLinks } from './application-links.ts';
import { watchLinks } from './link-tabs.ts';
import { openedPath } from './opened-path.ts';

/**
 * Shows windows of the page, and links that the person opens in a new tab, in tabs of the person's browser, whose own rules for popups apply.
 * Hands links of the person's own applications to that browser.
 */
export const activate: ActivateClient = ({ commands, services, session, onDispose }) => {
  const renderer = services.get(rendererToken);
  commands.handle(tabOpen, ({ token, url }) => {
    session.openTab(openedPath(url, session.prefix, token), token);
  });
  onDispose(watchLinks(renderer, (frame, url) => commands.send(openLink, { frame, url })));
  onDispose(
    watchApplicationLinks(renderer, applicationLinks(session.capabilities), (address) => {
      window.location.assign(address); // of another scheme: this document stays
    }),
  );
};
