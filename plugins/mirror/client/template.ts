import { DOCUMENT_KINDS, MODES } from '../ops.ts';
import type { Op } from '../ops.ts';
import { Realm } from './realm.ts';

/** Path of the templates. */
export const TEMPLATES = '/safeview-template/view/';
/** Time within which a template must load, in ms (M-111). */
const LOAD_DEADLINE_MS = 10_000;

/** Returns the address of the template that a doc op asks for. */
export function templateOf(doc: Op): string {
  const kind = DOCUMENT_KINDS[doc[2] ?? 0] ?? 'html';
  const mode = kind === 'html' ? (MODES[doc[1] ?? 0] ?? 'standards') : 'standards';
  return `${TEMPLATES}${kind}-${mode}`;
}

/**
 * Returns the address of a template in a frame. It differs by depth, because browsers leave a frame empty if two frames around it
 * already have its address.
 */
export function addressIn(element: HTMLIFrameElement, address: string): string {
  let depth = 0;
  for (let window = element.ownerDocument.defaultView; window && window !== window.parent; depth++)
    window = window.parent as typeof window; // of the same origin, up to the shell
  return depth === 0 ? address : `${address}?${depth}`;
}

/** Loads a template into a frame of a document. Rejects when it does not load in time, or the signal is aborted. */
export function loadTemplate(element: HTMLIFrameElement, address: string, signal: AbortSignal): Promise<Realm> {
  const url = addressIn(element, address);
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const fail = (): void => {
      settled.abort();
      reject(new Error(signal.aborted ? 'aborted' : 'the template did not load'));
    };
    const timer = setTimeout(fail, LOAD_DEADLINE_MS);
    settled.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', fail, { signal: settled.signal });
    element.addEventListener(
      'load',
      () => {
        const { contentDocument, contentWindow } = element;
        if (!contentWindow || !contentDocument) return fail(); // the browser's own error page
        if (!contentDocument.URL.endsWith(url)) return; // the initial empty document
        settled.abort();
        resolve(new Realm(contentWindow as Window & typeof globalThis)); // every window has its globals
      },
      { signal: settled.signal },
    );
    // A second navigation by attribute would add an entry to the person's history.
    if (element.hasAttribute('src')) element.contentWindow?.location.replace(url);
    else element.src = url;
  });
}
