import type { Renderer } from '../../../core/index.ts';
import { isolatedPath, pageOfPath } from '../addresses.ts';
import type { AddressContext } from '../addresses.ts';

/**
 * Opens links in new isolated tabs: on middle click, or click with Ctrl or Command. The sandboxed view itself cannot open them. Links in
 * the view are paths of the host; other links are ignored.
 */
export function openLinksInTabs(
  renderer: Renderer,
  context: AddressContext,
  openTab: (path: string) => void,
): () => void {
  return renderer.documents(({ document }) => {
    const onClick = (event: MouseEvent): void => {
      if (event.button !== 1 && !(event.button === 0 && (event.ctrlKey || event.metaKey))) return;
      const link = event.composedPath().find((node): node is HTMLAnchorElement => {
        const element = node as Partial<Element>; // from the view's realm, where instanceof is false
        return element.localName === 'a' || element.localName === 'area';
      });
      const page = pageOfPath(link?.getAttribute('href')?.trim() ?? '');
      if (page === undefined) return;
      event.preventDefault();
      openTab(isolatedPath(page, context));
    };
    document.addEventListener('click', onClick, true);
    document.addEventListener('auxclick', onClick, true);
    return () => {
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('auxclick', onClick, true);
    };
  });
}
