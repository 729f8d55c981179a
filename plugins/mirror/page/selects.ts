import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Selects checked in one flush, and after a poll. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;

interface Select {
  readonly element: HTMLSelectElement;
  readonly id: number;
  /** The view's selection, made by its browser or sent: indices joined by commas; null while unknown. */
  known: string | null;
}

/** Selected options of select elements. */
export class Selects implements Tracker {
  readonly names = ['select', 'option'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #selects = new Sweep<Select>();
  #byElement = new WeakMap<Element, Select>();
  readonly #urgent = new Set<Select>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (dom.isHtml(element, 'select')) {
      const select = { element, id, known: null };
      this.#selects.add(select);
      this.#byElement.set(element, select);
      this.#urgent.add(select);
    } else this.#touched(element);
  }

  changed(element: Element): void {
    this.#touched(element);
  }

  reset(): void {
    this.#selects = new Sweep();
    this.#byElement = new WeakMap();
    this.#urgent.clear();
  }

  collect(full: boolean): void {
    for (const select of this.#urgent) this.#look(select);
    this.#urgent.clear();
    this.#selects.run(full ? POLL_BUDGET : FLUSH_BUDGET, (select) => this.#look(select));
  }

  /** New options or changed attributes: the view's browser may have changed its selection. */
  #touched(element: Element): void {
    const owner = dom.isHtml(element, 'option') ? ownerOf(element) : element;
    const select = owner && this.#byElement.get(owner);
    if (!select) return;
    select.known = null;
    this.#urgent.add(select);
  }

  #look(select: Select): boolean {
    const { element, id } = select;
    if (this.#kernel.idOf(element) !== id) return false;
    const selected = selectedOf(element);
    const key = selected.join();
    if (key === (select.known ?? undefined)) return true;
    // The active option is the one that was selected first: parts of a list may reach the view in another order.
    const isDefault = select.known === null && selected.length < 2 && key === defaultOf(element).join();
    select.known = key;
    if (!isDefault) this.#writer.op([OP.selected, id, ...selected]);
    return true;
  }
}

function ownerOf(option: HTMLOptionElement): Element | null {
  for (let node = dom.parentNode(option); node; node = dom.parentNode(node))
    if (dom.isHtml(node, 'select')) return node;
  return null;
}

function selectedOf(select: HTMLSelectElement): number[] {
  if (!select.multiple) return select.selectedIndex < 0 ? [] : [select.selectedIndex];
  return [...select.selectedOptions].map((option) => option.index);
}

/** Returns the options that a browser selects by the attributes alone. */
function defaultOf(select: HTMLSelectElement): number[] {
  const options = [...select.options];
  const byAttribute = options.filter((option) => option.defaultSelected).map((option) => option.index);
  if (select.multiple) return byAttribute;
  if (byAttribute.length > 0) return byAttribute.slice(-1);
  if (select.size > 1) return [];
  const first = options.find((option) => !option.disabled && !isInDisabledGroup(option));
  return first ? [first.index] : [];
}

function isInDisabledGroup({ parentElement }: HTMLOptionElement): boolean {
  return parentElement !== null && dom.isHtml(parentElement, 'optgroup') && parentElement.disabled;
}
