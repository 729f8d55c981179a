import { dom } from '../../../core/page.ts';
import type { ActivatePage } from '../../../core/page.ts';
import { MAX_ICON_ADDRESS, MAX_TITLE, pageIdentity } from '../protocol.ts';

/** Sends the title and icon of the main frame's document to the host when they change. */
export const activate: ActivatePage = ({ kernel, commands }) => {
  if (window !== window.top) return;
  let last = '';
  const sendIdentity = (): void => {
    const isLoading = dom.readyState(document) === 'loading';
    const title = dom.title(document).slice(0, MAX_TITLE);
    const icon = namedIcon() ?? (isLoading ? '' : wellKnownIcon());
    const key = `${title}\n${icon}`;
    if (key === last || (isLoading && title === '')) return;
    last = key;
    commands.send(pageIdentity, { title, icon });
  };
  kernel.onFlush(sendIdentity);
  kernel.listen('DOMContentLoaded', sendIdentity); // it may be followed by no flush
};

/** The last icon in the document, as in browsers. An address that is too long is ignored. */
function namedIcon(): string | undefined {
  const link = dom.all(document, 'link[rel~="icon" i][href]').at(-1) as HTMLLinkElement | undefined; // selected by its name
  if (!link) return undefined;
  return link.href.length > MAX_ICON_ADDRESS ? '' : link.href;
}

function wellKnownIcon(): string {
  return /^https?:$/.test(location.protocol) ? new URL('/favicon.ico', location.href).href : '';
}
