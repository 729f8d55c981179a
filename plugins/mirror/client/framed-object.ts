import { NAMESPACE } from '../ops.ts';
import { createElement, isFrame, setAttribute } from './allowlist.ts';
import { isHtml, read } from './dom.ts';
import type { Realm } from './realm.ts';

/** Marks an element that shows its nested frame in an iframe of ours (sheets.ts has the rules). */
export const FRAMED = 'data-vitrine-framed';

/** The element that shows a nested frame: the owner itself, or an iframe in an object or embed, neither of which loads anything here. */
export function frameElementOf(realm: Realm, owner: Element): HTMLIFrameElement | undefined {
  if (isFrame(owner)) return owner;
  if (!isHtml(owner, 'object', 'v-embed')) return undefined;
  const last = read(Element, owner, 'lastElementChild');
  if (Element.prototype.hasAttribute.call(owner, FRAMED) && last && isFrame(last)) return last;
  const frame = createElement(realm, NAMESPACE.html, 'iframe') as HTMLIFrameElement; // an allowed name
  // Where the owner's rules do not size it, the frame does.
  for (const name of ['width', 'height'])
    setAttribute(frame, name, Element.prototype.getAttribute.call(owner, name) ?? undefined);
  Element.prototype.setAttribute.call(owner, FRAMED, '');
  Node.prototype.appendChild.call(owner, frame);
  return frame;
}
