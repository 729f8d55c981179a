import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { LENGTH_ATTRIBUTE, OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Inputs looked at in one flush, and after a poll. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;

interface Spinner {
  readonly element: HTMLInputElement;
  readonly id: number;
  /** What has been sent in attributes of ours, and of those that the page does not set. */
  readonly said: Map<string, string>;
  /** Whether it is known how long it is, as of the last poll. */
  isMeasured: boolean;
}

/**
 * The view shows number inputs as text (M-061): to assistive technology they are what they are in the page. Where the page leaves their
 * length to the browser, which takes it from their bounds, the view is told how long they are (host/font-sheet.ts).
 */
export class Spinners implements Tracker {
  readonly names = ['input'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #spinners = new Sweep<Spinner>();
  #byElement = new WeakMap<Node, Spinner>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'input') || element.type !== 'number') return;
    if (this.#byElement.get(element)?.id === id) return;
    const spinner = { element, id, said: new Map<string, string>(), isMeasured: false };
    this.#spinners.add(spinner);
    this.#byElement.set(element, spinner);
  }

  /** What the page says or takes back goes over what has been said for it. */
  changed(element: Element, id: number, attribute: string): void {
    if (attribute === 'type') this.added(element, id);
    const spinner = this.#byElement.get(element);
    if (!spinner) return;
    spinner.said.delete(attribute);
    spinner.isMeasured = false;
  }

  reset(): void {
    this.#spinners = new Sweep();
    this.#byElement = new WeakMap();
  }

  collect(full: boolean): void {
    this.#spinners.run(full ? POLL_BUDGET : FLUSH_BUDGET, (spinner) => this.#look(spinner, full));
  }

  #look(spinner: Spinner, closely: boolean): boolean {
    const { element, id, said } = spinner;
    if (this.#kernel.idOf(element) !== id) return false;
    const is = element.type === 'number';
    const { min, max, value } = element;
    const { rangeUnderflow, rangeOverflow } = element.validity;
    this.#say(element, id, said, 'role', is ? 'spinbutton' : '');
    // A bound would go before a value beyond it.
    this.#say(element, id, said, 'aria-valuemin', is && !rangeUnderflow ? min : '');
    this.#say(element, id, said, 'aria-valuemax', is && !rangeOverflow ? max : '');
    this.#say(element, id, said, 'aria-valuenow', is ? value : '');
    // The page is laid out for it: in a flush only where nothing is known yet.
    if (spinner.isMeasured && !closely) return true;
    spinner.isMeasured = true;
    this.#say(element, id, said, LENGTH_ATTRIBUTE, is && hasOwnLength(element) ? lengthOf(element) : '');
    return true;
  }

  #say(element: Element, id: number, said: Map<string, string>, attribute: string, value: string): void {
    if (dom.hasAttribute(element, attribute) || value === (said.get(attribute) ?? '')) return;
    said.set(attribute, value);
    const writer = this.#writer;
    writer.op([OP.attribute, id, attribute, value === '' ? null : value]);
  }
}

/** Whether a text input could be of another length: of all number inputs, only those with two bounds have one of their own, and none has a `size`. */
function hasOwnLength(element: HTMLInputElement): boolean {
  return (dom.hasAttribute(element, 'min') && dom.hasAttribute(element, 'max')) || dom.hasAttribute(element, 'size');
}

/** How long an input is whose length the page leaves to the browser, as CSS has it; empty for others, and for those that are not shown. */
function lengthOf(element: HTMLInputElement): string {
  if (String(element.computedStyleMap().get('inline-size')) !== 'auto') return '';
  const { inlineSize } = getComputedStyle(element);
  return inlineSize === 'auto' ? '' : inlineSize;
}
