import { dom } from './dom.ts';
import type { Entry } from './ids.ts';
import { canHost, shadowOf } from './shadow.ts';
import { Sweep } from './sweep.ts';

/** Time budget per poll, in ms, and number of elements examined between two checks of the clock. */
const BUDGET_MS = 1;
const STRIDE = 50;

/** Finds shadow roots that are attached to elements after they were sent. No observer reports those. */
export class LateShadows {
  readonly #attach: (host: Entry, root: ShadowRoot) => void;
  /** Custom elements: they get shadow roots more often than others, and are fewer. */
  readonly #custom = new Sweep<Entry>();
  readonly #plain = new Sweep<Entry>();
  /** Plain elements that were written since the last round: they are examined once, before all others. */
  readonly #fresh = new Sweep<Entry>();
  #allowed = false;

  constructor(attach: (host: Entry, root: ShadowRoot) => void) {
    this.#attach = attach;
  }

  /** Remembers an element that was sent without a shadow root, if it can get one. */
  watch(entry: Entry): void {
    const element = entry.node as Element; // only elements are watched
    if (canHost(element)) (dom.localName(element).includes('-') ? this.#custom : this.#fresh).add(entry);
  }

  /** Examines one element now. */
  check(entry: Entry): void {
    if (dom.isElement(entry.node) && dom.isConnected(entry.node)) this.#look(entry);
  }

  /** Renews the budget of the next sweep: called at each poll. */
  allow(): void {
    this.#allowed = true;
  }

  /** Examines some elements in turn, within the budget. */
  sweep(): void {
    if (!this.#allowed) return;
    this.#allowed = false;
    const end = performance.now() + BUDGET_MS;
    const look = (entry: Entry): boolean => this.#look(entry);
    this.#custom.run(STRIDE, look);
    while (this.#fresh.size > 0 && performance.now() < end) this.#fresh.run(STRIDE, (entry) => this.#lookFirst(entry));
    for (let left = this.#plain.size; left > 0 && performance.now() < end; left -= STRIDE)
      this.#plain.run(STRIDE, look);
  }

  #lookFirst(entry: Entry): boolean {
    if (this.#look(entry)) this.#plain.add(entry);
    return false;
  }

  /** Returns false when the entry need not be examined again. */
  #look(entry: Entry): boolean {
    if (entry.id === 0 || entry.shadow) return false;
    const root = shadowOf(entry.node as Element); // only elements are examined
    if (!root) return true;
    this.#attach(entry, root);
    return false;
  }
}
