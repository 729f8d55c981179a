import type { Root } from '../contracts/kernel.ts';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };
const LISTENING: AddEventListenerOptions = { capture: true, passive: true };

interface Listening {
  readonly type: string;
  readonly listener: (event: Event) => void;
}

/** The document and the shadow roots that have been sent. One observer and the same listeners serve all of them. */
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

  /** A single root cannot be unobserved: its later records are about nodes without ids. */
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

  /** Adds the listeners again after `document.open`, which removes those of its document and window. Existing ones are not added twice. */
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
 * The document's listeners are on its window, which is first in every event's path, before all scripts of the page. Only `load` events of
 * elements in the document never reach the window.
 */
function source(root: Root, type: string): EventTarget {
  return root === document && type !== 'load' ? window : root;
}
