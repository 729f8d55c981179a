import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP, TOP_LAYER } from '../ops.ts';
import { POPOVER } from './tracker.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

interface Entered {
  readonly id: number;
  readonly kind: number;
  /** Number of the event that opened it. */
  readonly opening: number;
}

/** Elements of the top layer, in the order in which they entered it. */
export class TopLayer implements Tracker {
  readonly names = ['dialog', POPOVER];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #candidates = new Set<Element>();
  #entered = new Map<Element, Entered>();
  /** Numbers of openings, counted from events: nothing else shows the order. */
  readonly #openings = new WeakMap<Node, number>();
  #opened = 0;
  #dirty = true;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    kernel.listen('beforetoggle', (event) => this.#toggled(event));
    for (const type of ['toggle', 'close', 'fullscreenchange']) kernel.listen(type, () => this.check());
  }

  added(element: Element): void {
    this.#candidates.add(element);
    this.#dirty = true;
  }

  changed(element: Element): void {
    this.#candidates.add(element);
    this.#dirty = true;
  }

  reset(): void {
    this.#candidates = new Set();
    this.#entered = new Map();
    this.#dirty = true;
  }

  /** The top layer may have changed. */
  check(): void {
    this.#dirty = true;
    this.#kernel.schedule();
  }

  collect(full: boolean): void {
    if (!this.#dirty && !full) return;
    this.#dirty = false;
    const now = this.#now();
    for (const [element, { id }] of this.#entered) {
      const there = now.get(element);
      if (there && isSame(there, this.#entered.get(element))) continue;
      this.#entered.delete(element);
      if (this.#kernel.idOf(element) === id) this.#writer.op([OP.top, id, TOP_LAYER.none]);
    }
    const fresh = [...now].filter(([element]) => !this.#entered.has(element));
    fresh.sort(([a, { opening: first }], [b, { opening: second }]) => first - second || (dom.precedes(a, b) ? -1 : 1));
    for (const [element, entered] of fresh) {
      this.#entered.set(element, entered);
      this.#writer.op([OP.top, entered.id, entered.kind]);
    }
  }

  #toggled(event: Event): void {
    const { target } = event;
    if (dom.isNode(target) && (event as ToggleEvent).newState === 'open') this.#openings.set(target, ++this.#opened);
    this.check();
  }

  #now(): Map<Element, Entered> {
    const now = new Map<Element, Entered>();
    const add = (element: Element, kind: number): void => {
      const id = this.#kernel.idOf(element);
      if (id !== 0) now.set(element, { id, kind, opening: this.#openings.get(element) ?? 0 });
    };
    for (const element of this.#candidates) {
      if (this.#kernel.idOf(element) === 0) this.#candidates.delete(element);
      else if (dom.matches(element, 'dialog:modal')) add(element, TOP_LAYER.modal);
      else if (dom.matches(element, ':popover-open')) add(element, TOP_LAYER.popover);
    }
    for (const root of this.#kernel.roots()) {
      const element = dom.fullscreenElement(root);
      if (element) add(element, TOP_LAYER.fullscreen);
    }
    return now;
  }
}

function isSame(a: Entered, b: Entered | undefined): boolean {
  return a.id === b?.id && a.kind === b.kind && a.opening === b.opening;
}
