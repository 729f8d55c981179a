import type { ActivateHost } from 'vitrine/host';
import { countLinks, countNow, linksChanged, linksFound } from '../protocol.ts';

const MAIN_FRAME = 1;

/** In the host, once per tab: stands between the page, which is untrusted, and the client. */
export const activate: ActivateHost = ({ commands, hooks, page, tab }) => {
  let links: number | undefined;

  page.handle(linksFound, (found, frame) => {
    if (frame.id !== MAIN_FRAME) return; // an advertisement does not speak for the page
    links = found.links;
    commands.send(linksChanged, { links });
  });
  commands.handle(countLinks, () => page.call(MAIN_FRAME, countNow, undefined));
  // A client that was reloaded knows nothing of what was sent before.
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && links !== undefined) commands.send(linksChanged, { links });
  });
};
