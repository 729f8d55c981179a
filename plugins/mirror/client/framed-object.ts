import { NAMESPACE } from '../ops.ts';
import { createElement, isFrame, setAttribute } from './allowlist.ts';
import { isHtml, read } from './dom.ts';
import type { Realm } from './realm.ts';
import { FRAMED } from './sheets.ts';

/** Returns our iframe for a nested frame of an object or embed, neither of which loads anything here; undefined for other elements. */
export function frameIn(realm: Realm, owner: Element): HTMLIFrameElement | undefined {
  if (!isHtml(owner, 'object', 'v-embed')) return undefined;
  const last = read(Element, owner, 'lastElementChild');
  if (Element.prototype.hasAttribute.call(owner, FRAMED) && last && isFrame(last)) return last;
  const frame = createElement(realm, NAMESPACE.html, 'iframe') as HTMLIFrameElement; // an allowed name
  // Where the owner's rules set no size, the frame's size applies.
  for (const name of ['width', 'height'])
    setAttribute(frame, name, Element.prototype.getAttribute.call(owner, name) ?? undefined);
  Element.prototype.setAttribute.call(owner, FRAMED, '');
  Node.prototype.appendChild.call(owner, frame);
  return frame;
}
