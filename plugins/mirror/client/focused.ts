import type { Target } from '../../../core/index.ts';
import { activeIn, boxOf, isHtml } from './dom.ts';
import { targetAt } from './geometry.ts';
import type { MirrorDocument } from './mirror-document.ts';
import { MAIN_FRAME } from './view.ts';
import type { View } from './view.ts';

/** The element with the focus in the view, through frames and shadow roots, and its document. */
export function focusedIn(view: View): { readonly mirror: MirrorDocument; readonly element: Element } | undefined {
  let mirror = view.documentsOf(MAIN_FRAME)[0];
  let element = mirror && activeIn(mirror.realm.document);
  for (;;) {
    const inner: Document | null | undefined = isHtml(element, 'iframe', 'frame')
      ? (element as HTMLIFrameElement).contentDocument // by its name
      : undefined;
    const next = inner && view.documentOf(inner);
    if (!next) break;
    mirror = next;
    element = activeIn(inner);
  }
  return mirror && element ? { mirror, element } : undefined;
}

/** The middle of an element. */
export function middleOf(mirror: MirrorDocument, element: Element): Target {
  const box = boxOf(element);
  return targetAt(mirror, element, box.x + box.width / 2, box.y + box.height / 2);
}
