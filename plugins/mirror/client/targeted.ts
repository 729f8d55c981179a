import type { Realm } from './realm.ts';

/** Makes `:target` match an element, if a fragment can name it, or none. May scroll the document. */
export function setTarget({ window, url }: Realm, element: Element | undefined): void {
  const name = element && Element.prototype.getAttribute.call(element, 'id');
  // A full address, since a fragment alone would be resolved against the shell's; `replace` adds no history entry.
  window.location.replace(`${url}#${encodeURIComponent(name ?? '')}`);
}
