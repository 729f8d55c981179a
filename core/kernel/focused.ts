import type { Kernel } from '../contracts/kernel.ts';
import { dom } from './dom.ts';

/** Returns the focused element, through shadow roots of any mode; undefined for none, or for the body by default. */
export function focusedElement(kernel: Pick<Kernel, 'shadowOf'>): Element | undefined {
  let focused = dom.activeElement(document);
  if (focused && dom.localName(focused) === 'body' && !(focused as HTMLElement).isContentEditable) return undefined;
  while (focused) {
    const shadow = kernel.shadowOf(focused);
    const inner: Element | null = shadow && dom.activeElement(shadow);
    if (!inner) return focused;
    focused = inner;
  }
  return undefined;
}
