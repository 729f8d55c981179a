import type { ActivatePage } from 'vitrine/page';
import { countNow, linksFound } from '../protocol.ts';

/** Runs in each frame of the page, in a world of its own that the page's scripts cannot see: counts links. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  if (window !== window.top) return;
  let reported = -1;

  // A flush follows every change of the document, and every poll.
  kernel.onFlush(() => {
    const links = document.links.length;
    if (links === reported) return;
    reported = links;
    commands.send(linksFound, { links });
  });
  commands.handle(countNow, () => ({ links: document.links.length }));
};
