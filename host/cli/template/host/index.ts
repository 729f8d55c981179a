import type { ActivateHost } from 'vitrine/host';
import { countLinks, countNow, linksChanged, linksFound } from '../protocol.ts';

const MAIN_FRAME = 1;

/** Runs in the host, once per tab, between the page, which is untrusted, and the client. */
export const activate: ActivateHost = ({ commands, hooks, page, tab }) => {
  let links: number | undefined;

  page.handle(linksFound, (found, frame) => {
    if (frame.id !== MAIN_FRAME) return; // links of embedded frames, such as advertisements, are not counted
    links = found.links;
    commands.send(linksChanged, { links });
  });
  commands.handle(countLinks, () => page.call(MAIN_FRAME, countNow, undefined));
  // A reloaded client has none of the messages that were sent before.
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && links !== undefined) commands.send(linksChanged, { links });
  });
};
