import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { StateNames } from './state-names.ts';
import { CUSTOM } from './tracker.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Custom elements checked in one flush, and after a poll. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;

/** Stands for the message of an invalid custom element. */
const INVALID = '!';

interface CustomElement {
  readonly element: Element;
  readonly id: number;
  defined: boolean;
  states: string;
  invalid: boolean;
}

/** Definition and custom states of custom elements. States cannot be listed: those that style sheets name are tried. */
export class CustomElements implements Tracker {
  readonly names = [CUSTOM];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #stateNames: StateNames;
  #elements = new Sweep<CustomElement>();

  constructor(kernel: Kernel, writer: Writer, stateNames: StateNames) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#stateNames = stateNames;
  }

  added(element: Element, id: number): void {
    this.#elements.add({ element, id, defined: dom.matches(element, ':defined'), states: '', invalid: false });
  }

  reset(): void {
    this.#elements = new Sweep();
  }

  collect(full: boolean): void {
    this.#elements.run(full ? POLL_BUDGET : FLUSH_BUDGET, (custom) => this.#look(custom));
  }

  #look(custom: CustomElement): boolean {
    const { element, id } = custom;
    if (this.#kernel.idOf(element) !== id) return false;
    if (!custom.defined && dom.matches(element, ':defined')) {
      custom.defined = true;
      this.#writer.op([OP.defined, id, isControl(element) ? 3 : 1]);
    }
    if (!custom.defined) return true;
    this.#lookAtValidity(custom);
    const states = this.#stateNames.all().filter((name) => dom.matches(element, `:state(${name})`));
    const key = states.join(' ');
    if (key === custom.states) return true;
    custom.states = key;
    this.#writer.op([OP.states, id, ...states]);
    return true;
  }

  /** The message itself is private to the element: only its presence is visible. */
  #lookAtValidity(custom: CustomElement): void {
    const invalid = dom.matches(custom.element, ':invalid');
    if (invalid === custom.invalid) return;
    custom.invalid = invalid;
    this.#writer.op([OP.validity, custom.id, invalid ? INVALID : '']);
  }
}

/** Whether a defined custom element is a form control. */
export function isControl(element: Element): boolean {
  return dom.localName(element).includes('-') && dom.matches(element, ':enabled, :disabled');
}
