import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { LENGTH_ATTRIBUTE, OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Inputs checked in one flush, and after a poll. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;

interface Spinner {
  readonly element: HTMLInputElement;
  readonly id: number;
  /** Values sent in attributes of ours, and in those that the page does not set. */
  readonly said: Map<string, string>;
  /** Whether its length has been measured since the last poll. */
  isMeasured: boolean;
}

/**
 * The view shows number inputs as text (M-061): they get the ARIA attributes of spin buttons, for assistive technology. Where the page
 * leaves their length to the browser, which derives it from their bounds, the length is sent to the view (host/font-sheet.ts).
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

  /** An attribute that the page sets or removes replaces the one sent here. */
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
    // A bound would replace a value beyond it.
    this.#say(element, id, said, 'aria-valuemin', is && !rangeUnderflow ? min : '');
    this.#say(element, id, said, 'aria-valuemax', is && !rangeOverflow ? max : '');
    this.#say(element, id, said, 'aria-valuenow', is ? value : '');
    // Measuring forces layout: in a flush only where the length is unknown.
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

/** Whether the length may differ from that of a text input: only number inputs with two bounds have one of their own, and no `size`. */
function hasOwnLength(element: HTMLInputElement): boolean {
  return (dom.hasAttribute(element, 'min') && dom.hasAttribute(element, 'max')) || dom.hasAttribute(element, 'size');
}

/** Returns the length of an input that the page leaves to the browser, as a CSS length; empty for others, and for hidden ones. */
function lengthOf(element: HTMLInputElement): string {
  if (String(element.computedStyleMap().get('inline-size')) !== 'auto') return '';
  const { inlineSize } = getComputedStyle(element);
  return inlineSize === 'auto' ? '' : inlineSize;
}
