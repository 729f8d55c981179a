import type { Realm } from './realm.ts';

/** Has `:target` match an element, as far as a fragment can name it, or nothing. May scroll the document. */
export function setTarget({ window, url }: Realm, element: Element | undefined): void {
  const name = element && Element.prototype.getAttribute.call(element, 'id');
  // Whole, since a fragment alone would be resolved against the shell's address; replaced, so that it leaves no history.
  window.location.replace(`${url}#${encodeURIComponent(name ?? '')}`);
}
