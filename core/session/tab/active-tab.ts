import { randomId } from '../../channel/random-id.ts';

/** Holds the random id of the tab that the person used last (S-052). */
const ACTIVE_COOKIE = 'vitrine_active';
/** How often a tab looks whether another has become the active one (S-065). */
const ACTIVE_POLL_MS = 200;
/** What a person does in a tab that is used. */
const SIGNS = ['focus', 'focusin', 'keydown', 'mousemove', 'scroll'] as const;

/** What the election goes by. */
interface ActiveTabOptions {
  readonly window: Window & typeof globalThis;
  readonly readCookie: (name: string) => string | undefined;
  readonly writeCookie: (name: string, value: string) => void;
  /** Calls for each document that the person may use, now and later. */
  readonly documents: (visit: (document: Document) => () => void) => void;
}

/**
 * Elects one active tab among those of a browser, by a cookie that they share. `window-became-active` and `window-became-passive` fire
 * on the window, once per change (S-065, S-066). Answers with the undo.
 */
export function electActiveTab({ window, readCookie, writeCookie, documents }: ActiveTabOptions): () => void {
  const id = randomId(16);
  const abort = new AbortController();
  let isActive = false;
  const become = (active: boolean): void => {
    if (active === isActive) return;
    isActive = active;
    if (active) writeCookie(ACTIVE_COOKIE, id);
    window.dispatchEvent(new Event(active ? 'window-became-active' : 'window-became-passive'));
  };
  const listen = (target: EventTarget): void => {
    for (const sign of SIGNS)
      target.addEventListener(sign, () => become(true), { capture: true, passive: true, signal: abort.signal });
  };
  listen(window);
  documents((document) => {
    listen(document);
    return () => undefined; // its listeners go with it, or with the election
  });
  const timer = setInterval(() => {
    if (isActive && readCookie(ACTIVE_COOKIE) !== id) become(false);
  }, ACTIVE_POLL_MS);
  if (window.document.hasFocus()) become(true);
  return () => {
    clearInterval(timer);
    abort.abort();
  };
}
