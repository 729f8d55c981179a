import type { ActivatePage } from '../../../core/page.ts';
import { MAX_TITLE, pageIdentity } from '../protocol.ts';

/** Tells the host the title and icon of the main frame's document when they change. */
export const activate: ActivatePage = ({ kernel, commands, onDispose }) => {
  if (window !== window.top) return;
  let last = '';
  const tell = (): void => {
    const identity = { title: document.title.slice(0, MAX_TITLE), icon: iconAddress() };
    const key = `${identity.title}\n${identity.icon}`;
    if (key === last || document.readyState === 'loading') return;
    last = key;
    commands.send(pageIdentity, identity);
  };
  onDispose(kernel.onFlush(tell));
  onDispose(kernel.onPoll(tell));
};

/** The icon that browsers would take: the last one named, else the well-known place. */
function iconAddress(): string {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon" i][href]')];
  const named = links.at(-1)?.href;
  if (named !== undefined) return named.length > 100_000 ? '' : named;
  return /^https?:$/.test(location.protocol) ? new URL('/favicon.ico', location.href).href : '';
}
