import type { Kernel } from '../contracts/kernel.ts';
import { dom } from './dom.ts';

/**
 * Returns the focused element, through shadow roots of any mode; undefined for none. A document in which nothing is focused names its body: that
 * counts where it is edited, and the document is the one that is typed into.
 */
export function focusedElement(kernel: Pick<Kernel, 'shadowOf'>): Element | undefined {
  let focused = dom.activeElement(document);
  if (
    focused &&
    dom.localName(focused) === 'body' &&
    !((focused as HTMLElement).isContentEditable && document.hasFocus())
  )
    return undefined;
  while (focused) {
    const shadow = kernel.shadowOf(focused);
    const inner: Element | null = shadow && dom.activeElement(shadow);
    if (!inner) return focused;
    focused = inner;
  }
  return undefined;
}
