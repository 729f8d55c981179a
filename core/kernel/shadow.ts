import { dom, HTML_NAMESPACE } from './dom.ts';

/** Chromium's function for content scripts that opens closed shadow roots too. */
type Open = (element: HTMLElement) => ShadowRoot | null;

interface ContentScripts {
  readonly dom?: { readonly openOrClosedShadowRoot?: Open };
}

/** Chromium's `openOrClosedShadowRoot`. Outside an extension's world only open roots are visible. */
const open: Open | undefined = Object.hasOwn(globalThis, 'chrome')
  ? (globalThis as { chrome?: ContentScripts }).chrome?.dom?.openOrClosedShadowRoot
  : undefined;

/** HTML elements that may host a shadow root, besides custom elements. */
const HOSTS: ReadonlySet<string> = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** Whether an element can have a shadow root, now or later. */
export function canHost(element: Element): boolean {
  const name = dom.localName(element);
  return (HOSTS.has(name) || name.includes('-')) && dom.namespace(element) === HTML_NAMESPACE;
}

/** The shadow root of an element, open or closed. */
export function shadowOf(element: Element): ShadowRoot | null {
  if (!canHost(element)) return null;
  return open ? open(element as HTMLElement) : dom.openShadow(element); // canHost admits HTML elements only
}

/**
 * Like {@link shadowOf}, at a fifth of the cost, for the many elements that are rarely hosts: a plain element with content is checked for
 * an open root only. Its closed root, if any, is found later.
 */
export function likelyShadowOf(element: Element, isEmpty: boolean): ShadowRoot | null {
  return isEmpty || !HOSTS.has(dom.localName(element)) ? shadowOf(element) : dom.openShadow(element);
}
