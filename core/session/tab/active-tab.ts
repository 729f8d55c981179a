import { randomId } from '../../channel/random-id.ts';

/** Cookie with the random id of the tab that was used last (S-052). */
const ACTIVE_COOKIE = 'vitrine_active';
/** Interval at which a tab checks whether another has become active, in ms (S-065). */
const ACTIVE_POLL_MS = 200;
/** Events that show that a person uses a tab. */
const SIGNS = ['focus', 'focusin', 'keydown', 'mousemove', 'scroll'] as const;

/** Dependencies of the election. */
interface ActiveTabOptions {
  readonly window: Window & typeof globalThis;
  readonly readCookie: (name: string) => string | undefined;
  readonly writeCookie: (name: string, value: string) => void;
  /** Calls back for each current and future document that receives input. */
  readonly documents: (visit: (document: Document) => () => void) => void;
}

/**
 * Elects one active tab among those of a browser, with a shared cookie. `window-became-active` and `window-became-passive` fire on the
 * window, once per change (S-065, S-066). Returns a function that undoes it.
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
    return () => undefined; // listeners are removed with the document or by the election's undo
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
