import { DOCUMENT_KINDS, MODES } from '../ops.ts';
import type { Op } from '../ops.ts';
import { Realm } from './realm.ts';

const ADDRESS = '/safeview-template/view/';
/** How long a template may take to load, in ms (M-111). */
export const LOAD_DEADLINE_MS = 10_000;

/** The address of the template that a doc op asks for. */
export function templateOf(doc: Op): string {
  const kind = DOCUMENT_KINDS[doc[2] ?? 0] ?? 'html';
  const mode = kind === 'html' ? (MODES[doc[1] ?? 0] ?? 'standards') : 'standards';
  return `${ADDRESS}${kind}-${mode}`;
}

/** Loads a template into a frame that is in a document. Rejects when it does not come in time, or the signal is aborted. */
export function loadTemplate(element: HTMLIFrameElement, address: string, signal: AbortSignal): Promise<Realm> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const fail = (): void => {
      settled.abort();
      reject(new Error(signal.aborted ? 'no longer wanted' : 'the template has not loaded'));
    };
    const timer = setTimeout(fail, LOAD_DEADLINE_MS);
    settled.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', fail, { signal: settled.signal });
    element.addEventListener(
      'load',
      () => {
        const window = loadedWindow(element, address);
        if (!window) return; // the empty document that every frame begins with
        settled.abort();
        resolve(new Realm(window));
      },
      { signal: settled.signal },
    );
    // A second navigation by attribute would be an entry of the person's history.
    if (element.hasAttribute('src')) element.contentWindow?.location.replace(address);
    else element.src = address;
  });
}

/** The window of a frame in which this template has loaded. */
export function loadedWindow(element: HTMLIFrameElement, address: string): (Window & typeof globalThis) | undefined {
  const { contentDocument, contentWindow } = element;
  if (!contentWindow || !contentDocument?.URL.endsWith(address)) return undefined;
  return contentWindow as Window & typeof globalThis; // every window has its globals
}
