import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { applicationLinks } from '../../../core/protocol/application-link.ts';
import { pathOfPage } from '../../../core/protocol/shell-address.ts';
import { openAlone, openLink, tabClosed, tabDenied, tabInit, tabOpen } from '../protocol.ts';
import { LINK_FEATURES } from '../link-features.ts';
import { watchLinks } from './link-tabs.ts';
import type { ShownWindows } from './shown-windows.ts';

/**
 * Shows windows of the page, and links that the person opens in a new tab, in tabs of the person's browser, whose own rules for popups apply.
 * Hands links of the person's own applications to that browser.
 */
export const activate: ActivateClient = async (scope) => {
  const { commands, services, session, onDispose } = scope;
  const renderer = services.get(rendererToken);
  let windows: Promise<ShownWindows> | undefined;
  // Loaded with the first window.
  const shown = (): Promise<ShownWindows> =>
    (windows ??= import('./shown-windows.ts').then(({ showWindows }) => showWindows(scope)));
  commands.handle(tabOpen, async (request) => (await shown()).open(request));
  commands.handle(tabInit, async (live) => (await shown()).init(live));
  commands.handle(tabClosed, async ({ id }) => (await shown()).close(id));
  commands.handle(tabDenied, async ({ id }) => (await shown()).close(id));
  commands.handle(openAlone, ({ url, window: isWindow }) => {
    session.openTab(pathOfPage(url, session.prefix), undefined, LINK_FEATURES[isWindow ? 'window' : 'tab']);
  });
  onDispose(watchLinks(renderer, (frame, url) => commands.send(openLink, { frame, url })));
  const allowed = applicationLinks(session.capabilities);
  if (allowed.length === 0) return;
  const { watchApplicationLinks } = await import('./application-links.ts');
  onDispose(
    watchApplicationLinks(renderer, allowed, (address) => {
      window.location.assign(address); // of another scheme: this document stays
    }),
  );
};
