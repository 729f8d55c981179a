import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import type { SentOp } from '../op-table.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Types of input whose value is their attribute, or of no use to the view. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['hidden', 'submit', 'reset', 'button', 'image', 'file']);
/** Types that the view shows as text (M-061), so that its browser accepts any value. */
const SHOWN_AS_TEXT = /^(?:email|number)$/;
/** Attributes that the host treats in another way where the type is `password`: sent again when it changes. */
const BY_TYPE = ['value', 'pattern', 'list', 'autocapitalize', 'autocorrect', 'spellcheck'];
/** Controls checked in one flush, and after a poll. */
const FLUSH_BUDGET = 100;
const POLL_BUDGET = 1000;
/** Shortest value of which only the changed part is sent, in UTF-16 units. */
const SPLICE_UNITS = 16;
const CHECKED = 1;
const INDETERMINATE = 2;

/** A control and its last values sent; null while its attributes say them. */
interface Control {
  readonly element: HTMLInputElement | HTMLTextAreaElement;
  readonly id: number;
  value: string | null;
  bits: number | null;
  validity: string;
  /** Whether it is a password field: the host sends the view bullets instead of its value. */
  isSecret: boolean;
}

/** Values, checkedness and custom validity of inputs and text areas, also when script sets them, which fires no event. */
export class Values implements Tracker {
  readonly names = ['input', 'textarea'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #onValue: (id: number) => void;
  #controls = new Sweep<Control>();
  #byElement = new WeakMap<Node, Control>();
  readonly #urgent = new Set<Control>();

  /** `onValue` is called with the id of each control whose value has been written. */
  constructor(kernel: Kernel, writer: Writer, onValue: (id: number) => void) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#onValue = onValue;
    for (const type of ['input', 'change', 'reset']) kernel.listen(type, (event) => this.#edited(event));
  }

  added(element: Element, id: number): void {
    if (!dom.isHtml(element, 'input') && !dom.isHtml(element, 'textarea')) return;
    const isSecret = element.type === 'password';
    const control = { element, id, value: null, bits: null, validity: '', isSecret };
    this.#controls.add(control);
    this.#byElement.set(element, control);
    this.#urgent.add(control);
  }

  changed(element: Element): void {
    this.#hurry(element);
  }

  reset(): void {
    this.#controls = new Sweep();
    this.#byElement = new WeakMap();
    this.#urgent.clear();
  }

  collect(full: boolean): void {
    for (const control of this.#urgent) this.#look(control, true);
    this.#urgent.clear();
    this.#controls.run(full ? POLL_BUDGET : FLUSH_BUDGET, (control) => this.#look(control, full));
  }

  /** Sends an edit by the person at once, before the page's own listeners run, and again after them. */
  #edited(event: Event): void {
    const { target } = event;
    if (!dom.isNode(target)) return;
    this.#hurry(target);
    this.#kernel.schedule();
    queueMicrotask(() => {
      // The event is still being dispatched: no script of the page has dispatched it, since that dispatch would have ended by now.
      if (event.eventPhase === Event.NONE) return;
      this.#kernel.flush();
      this.#hurry(target);
      this.#kernel.schedule();
    });
  }

  #hurry(element: Node): void {
    const control = this.#byElement.get(element);
    if (control) this.#urgent.add(control);
  }

  #look(control: Control, closely: boolean): boolean {
    const { element, id } = control;
    if (this.#kernel.idOf(element) !== id) return false;
    const type = element.type;
    if (control.isSecret !== (type === 'password')) this.#turn(control);
    if (dom.isHtml(element, 'input') && (type === 'checkbox' || type === 'radio')) this.#lookAtBits(control, element);
    else if (!WITHOUT_VALUE.has(type)) this.#lookAtValue(control);
    if (closely) this.#lookAtValidity(control);
    return true;
  }

  /** A field has become one of passwords, or is none any more: the view gets another text for the same value. */
  #turn(control: Control): void {
    const { element, id } = control;
    control.isSecret = !control.isSecret;
    for (const name of BY_TYPE) {
      const value = dom.attribute(element, name);
      if (value !== null) this.#writer.op([OP.attribute, id, name, value]);
    }
    const { value } = element;
    if (value === '' && control.value === null) return;
    control.value = value;
    this.#writer.op([OP.value, id, value]);
    this.#onValue(id);
  }

  #lookAtBits(control: Control, { checked, indeterminate, defaultChecked }: HTMLInputElement): void {
    const bits = (checked ? CHECKED : 0) | (indeterminate ? INDETERMINATE : 0);
    if (bits === (control.bits ?? (defaultChecked ? CHECKED : 0))) return;
    control.bits = bits;
    this.#writer.op([OP.checked, control.id, bits]);
  }

  #lookAtValue(control: Control): void {
    const { value, defaultValue } = control.element;
    if (value === (control.value ?? defaultValue)) return;
    this.#writer.op(this.#valueOp(control, value));
    this.#onValue(control.id);
    control.value = value;
  }

  /** Returns an op with the whole value, or with the changed part of a long one. */
  #valueOp({ id, value: before }: Control, value: string): SentOp {
    if (before === null || value.length < SPLICE_UNITS) return [OP.value, id, value];
    const start = sharedStart(before, value);
    const end = sharedEnd(before, value, start);
    const text = value.slice(start, value.length - end);
    return [OP.splice, id, start, before.length - start - end, before.length, text];
  }

  #lookAtValidity(control: Control): void {
    const { element } = control;
    const { customError, patternMismatch, valid } = element.validity;
    const isSaid = customError || (patternMismatch && control.isSecret) || (!valid && SHOWN_AS_TEXT.test(element.type));
    const validity = isSaid ? element.validationMessage : '';
    if (validity === control.validity) return;
    control.validity = validity;
    this.#writer.op([OP.validity, control.id, validity]);
  }
}

/** Returns the length of the common start of two texts. */
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Returns the length of the common end of two texts, behind `start`. */
function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}
