import type { Renderer } from '../../../core/index.ts';

/**
 * Opens links in isolated tabs of the person's own: middle click, or a click with Ctrl or Command. The sandboxed view cannot open them
 * by itself. Links in the view are addresses of the host already; anything else is left alone.
 */
export function openLinksInTabs(renderer: Renderer, prefix: string): () => void {
  return renderer.documents(({ document }) => {
    const onClick = (event: MouseEvent): void => {
      if (event.button !== 1 && !(event.button === 0 && (event.ctrlKey || event.metaKey))) return;
      const link = event.composedPath().find((node): node is HTMLAnchorElement => {
        const element = node as Partial<Element>; // of the view's realm: instanceof would be false
        return element.localName === 'a' || element.localName === 'area';
      });
      const path = link?.getAttribute('href');
      if (!path?.startsWith(prefix) || !/^https?:/i.test(path.slice(prefix.length))) return;
      event.preventDefault();
      window.open(path, '_blank', 'noopener');
    };
    document.addEventListener('click', onClick, true);
    document.addEventListener('auxclick', onClick, true);
    return () => {
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('auxclick', onClick, true);
    };
  });
}
