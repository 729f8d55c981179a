import { dom } from './dom.ts';
import type { Entry } from './ids.ts';
import { canHost, shadowOf } from './shadow.ts';
import { Sweep } from './sweep.ts';

/** Elements looked at per poll: a look costs about a microsecond. */
const BUDGET = 300;

/** Finds shadow roots that elements get after they were sent; no observer reports those. */
export class LateShadows {
  readonly #attach: (host: Entry, root: ShadowRoot) => void;
  /** Custom elements get theirs more often than others, and are fewer. */
  readonly #custom = new Sweep<Entry>();
  readonly #plain = new Sweep<Entry>();
  #allowed = 0;

  constructor(attach: (host: Entry, root: ShadowRoot) => void) {
    this.#attach = attach;
  }

  /** Remembers an element that was sent without a shadow root, if it can get one. */
  watch(entry: Entry): void {
    const element = entry.node as Element; // only elements are watched
    if (canHost(element)) (dom.localName(element).includes('-') ? this.#custom : this.#plain).add(entry);
  }

  /** Looks at one element now. */
  check(entry: Entry): void {
    if (dom.isElement(entry.node) && dom.isConnected(entry.node)) this.#look(entry);
  }

  /** Allows the next sweep its budget: called at each poll. */
  allow(): void {
    this.#allowed = BUDGET;
  }

  /** Looks at some elements in turn, within what is allowed. */
  sweep(): void {
    if (this.#allowed === 0) return;
    const look = (entry: Entry): boolean => this.#look(entry);
    this.#custom.run(this.#allowed, look);
    this.#plain.run(this.#allowed, look);
    this.#allowed = 0;
  }

  /** False when the entry need not be looked at again. */
  #look(entry: Entry): boolean {
    if (entry.id === 0 || entry.shadow) return false;
    const root = shadowOf(entry.node as Element); // only elements are looked at
    if (!root) return true;
    this.#attach(entry, root);
    return false;
  }
}
