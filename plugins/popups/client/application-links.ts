import type { Renderer } from '../../../core/index.ts';
import { applicationLink } from '../../../core/protocol/application-link.ts';

/** The link at which an event happens: its address as it stands in the view. */
function addressAt(event: Event): string | null | undefined {
  const link = event.composedPath().find((node): node is Element => {
    const element = node as Partial<Element>; // from the view's realm, where instanceof is false
    return element.localName === 'a' || element.localName === 'area';
  });
  return link?.getAttribute('href') ?? link?.getAttribute('xlink:href');
}

/**
 * Calls back with the address of each link of the person's own applications (`allowed`: see {@link applicationLink}) that the person opens:
 * by a click of their own, or by Enter on the link. Nothing that a page does by itself counts. Returns its undo function.
 */
export function watchApplicationLinks(
  renderer: Renderer,
  allowed: readonly string[],
  onOpen: (address: string) => void,
): () => void {
  if (allowed.length === 0) return () => undefined;
  return renderer.documents(({ document }) => {
    const life = new AbortController();
    const options = { capture: true, signal: life.signal };
    const open = (event: Event): void => {
      const address = event.isTrusted ? applicationLink(addressAt(event) ?? '', allowed) : undefined;
      if (address === undefined) return;
      event.preventDefault();
      onOpen(address);
    };
    document.addEventListener('click', (event) => event.button === 0 && open(event), options);
    document.addEventListener('keydown', (event) => event.key === 'Enter' && !event.repeat && open(event), options);
    return () => life.abort();
  });
}
