import type { Renderer } from '../../../core/index.ts';
import { isApple } from '../../../core/protocol/platform.ts';
import { pageOfPath } from '../../../core/protocol/shell-address.ts';
import { MAX_ADDRESS } from '../protocol.ts';

/**
 * Calls back with frame and address of each link that the person opens in a new tab: on middle click, or click with Ctrl, Shift, or Command
 * on a Mac. Any other click is the page's. Links in the view are paths of the host, `/https://site/path` (`pageOfPath`); other links are
 * ignored. Returns its undo function.
 */
export function watchLinks(renderer: Renderer, onOpen: (frame: number, url: string) => void): () => void {
  return renderer.documents(({ frame, document }) => {
    const onClick = (event: MouseEvent): void => {
      const isMeta = event.metaKey && isApple(navigator.platform);
      if (event.button !== 1 && !(event.button === 0 && (event.ctrlKey || isMeta || event.shiftKey))) return;
      const link = event.composedPath().find((node): node is HTMLAnchorElement => {
        const element = node as Partial<Element>; // from the view's realm, where instanceof is false
        return element.localName === 'a' || element.localName === 'area';
      });
      const { url = '' } = pageOfPath(link?.getAttribute('href') ?? '') ?? {};
      if (!/^https?:/.test(url) || url.length > MAX_ADDRESS) return;
      event.preventDefault();
      onOpen(frame, url);
    };
    document.addEventListener('click', onClick, true);
    document.addEventListener('auxclick', onClick, true);
    return () => {
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('auxclick', onClick, true);
    };
  });
}
