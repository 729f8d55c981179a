import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { NO_STRING, OP } from '../ops.ts';
import { spinnerSize } from './spinner-size.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Inputs looked at in one flush, and after a poll. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;

interface Spinner {
  readonly element: HTMLInputElement;
  readonly id: number;
  /** What has been sent in the place of attributes: `size`, and those that the page does not set. */
  readonly said: Map<string, string>;
}

/**
 * The view shows number inputs as text (M-061): to assistive technology they are what they are in the page, and they are as long as
 * there. A `size` that comes of their bounds has the room for buttons added by the view (host/font-sheet.ts).
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
    const spinner = { element, id, said: new Map<string, string>() };
    this.#spinners.add(spinner);
    this.#byElement.set(element, spinner);
  }

  /** What the page says or takes back goes over what has been said for it. */
  changed(element: Element, id: number, attribute: string): void {
    if (attribute === 'type') this.added(element, id);
    this.#byElement.get(element)?.said.delete(attribute);
  }

  reset(): void {
    this.#spinners = new Sweep();
    this.#byElement = new WeakMap();
  }

  collect(full: boolean): void {
    this.#spinners.run(full ? POLL_BUDGET : FLUSH_BUDGET, (spinner) => this.#look(spinner));
  }

  #look({ element, id, said }: Spinner): boolean {
    if (this.#kernel.idOf(element) !== id) return false;
    const is = element.type === 'number';
    const { min, max, value } = element;
    const { rangeUnderflow, rangeOverflow } = element.validity;
    this.#say(element, id, said, 'role', is ? 'spinbutton' : '');
    // A bound would go before a value beyond it.
    this.#say(element, id, said, 'aria-valuemin', is && !rangeUnderflow ? min : '');
    this.#say(element, id, said, 'aria-valuemax', is && !rangeOverflow ? max : '');
    this.#say(element, id, said, 'aria-valuenow', is ? value : '');
    const size = dom.attribute(element, 'size') ?? '';
    this.#set(id, said, 'size', said.get('size') ?? size, is ? spinnerSize(element) : size);
    return true;
  }

  #say(element: Element, id: number, said: Map<string, string>, attribute: string, value: string): void {
    if (!dom.hasAttribute(element, attribute)) this.#set(id, said, attribute, said.get(attribute) ?? '', value);
  }

  #set(id: number, said: Map<string, string>, attribute: string, before: string, value: string): void {
    if (value === before) return;
    said.set(attribute, value);
    const writer = this.#writer;
    writer.op([OP.attribute, id, writer.string(attribute), value === '' ? NO_STRING : writer.string(value)]);
  }
}
