import type { Root } from '../contracts/kernel.ts';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };
const LISTENING: AddEventListenerOptions = { capture: true, passive: true };

interface Listening {
  readonly type: string;
  readonly listener: (event: Event) => void;
}

/** The document and the shadow roots that have been sent: observed by one observer, listened to by the same listeners. */
export class Roots {
  readonly #observer: MutationObserver;
  readonly #all = new Set<Root>();
  readonly #listening = new Set<Listening>();

  constructor(onRecords: (records: MutationRecord[]) => void) {
    this.#observer = new MutationObserver(onRecords);
  }

  add(root: Root): void {
    if (this.#all.has(root)) return;
    this.#all.add(root);
    this.#observer.observe(root, OBSERVED);
    for (const { type, listener } of this.#listening) source(root, type).addEventListener(type, listener, LISTENING);
  }

  /** A single root cannot be unobserved: what it reports from now on is about nodes without ids. */
  delete(root: Root): void {
    this.#all.delete(root);
    for (const { type, listener } of this.#listening) source(root, type).removeEventListener(type, listener, LISTENING);
  }

  clear(): void {
    for (const root of this.#all) this.delete(root);
    this.#observer.disconnect();
  }

  takeRecords(): MutationRecord[] {
    return this.#observer.takeRecords();
  }

  /** `document.open` takes all listeners of its document and window away; those that are still there are not added twice. */
  relisten(): void {
    for (const { type, listener } of this.#listening)
      source(document, type).addEventListener(type, listener, LISTENING);
  }

  listen(type: string, listener: (event: Event) => void): () => void {
    const listening = { type, listener };
    this.#listening.add(listening);
    for (const root of this.#all) source(root, type).addEventListener(type, listener, LISTENING);
    return () => {
      this.#listening.delete(listening);
      for (const root of this.#all) source(root, type).removeEventListener(type, listener, LISTENING);
    };
  }

  [Symbol.iterator](): Iterator<Root> {
    return this.#all.values();
  }
}

/**
 * The document is listened to from its window, which is first in every event's path: no script of the page comes before. Only the
 * `load` of what is in the document never gets there.
 */
function source(root: Root, type: string): EventTarget {
  return root === document && type !== 'load' ? window : root;
}
