import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { RELATIONS } from '../relations.ts';
import { RELATED } from './tracker.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Elements checked in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 200;

interface Referring {
  readonly element: Element;
  readonly id: number;
  /** Ids by relation, as sent. */
  readonly sent: string[];
}

/** Value of a relation property: one element, several, or null for none. */
type Given = Element | readonly Element[] | null;

/** Getters by relation; undefined where the browser lacks the property. */
const GETTERS = RELATIONS.map(
  ([, property]) =>
    Object.getOwnPropertyDescriptor(Element.prototype, property)?.get as ((this: Element) => Given) | undefined, // the getter of that property
);

/** Elements that script has set for ARIA relations, which no attribute shows. */
export class References implements Tracker {
  readonly names = [RELATED];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #referring = new Sweep<Referring>();
  #byElement = new WeakMap<Element, Referring>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (this.#byElement.get(element)?.id === id) return;
    const referring = { element, id, sent: [] };
    this.#referring.add(referring);
    this.#byElement.set(element, referring);
  }

  /** Setting the attribute removes the elements that were set before, in the view too. */
  changed(element: Element, id: number, attribute: string): void {
    this.added(element, id);
    const relation = RELATIONS.findIndex(([name]) => name === attribute);
    const referring = this.#byElement.get(element);
    if (referring) referring.sent[relation] = '';
  }

  reset(): void {
    this.#referring = new Sweep();
    this.#byElement = new WeakMap();
  }

  collect(full: boolean): void {
    this.#referring.run(full ? POLL_BUDGET : FLUSH_BUDGET, (referring) => this.#look(referring));
  }

  #look({ element, id, sent }: Referring): boolean {
    if (this.#kernel.idOf(element) !== id) return false;
    for (const [relation, [attribute]] of RELATIONS.entries()) {
      if (dom.attribute(element, attribute) !== '') continue;
      const given = GETTERS[relation]?.call(element) ?? [];
      const ids = [given].flat().map((other: Element) => this.#kernel.idOf(other));
      const known = ids.filter((other) => other !== 0);
      if (known.join() === (sent[relation] ?? '')) continue;
      sent[relation] = known.join();
      this.#writer.op([OP.refer, id, relation, ...known]);
    }
    return true;
  }
}
