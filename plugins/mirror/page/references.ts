import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { RELATIONS } from '../relations.ts';
import { RELATED } from './tracker.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Elements looked at in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 200;

interface Referring {
  readonly element: Element;
  readonly id: number;
  /** Ids by relation, as sent. */
  readonly sent: string[];
}

/** What script gives as one element, or as several; null: nothing. */
type Given = Element | readonly Element[] | null;

/** By relation; undefined where this browser does not have it. */
const GETTERS = RELATIONS.map(
  ([, property]) =>
    Object.getOwnPropertyDescriptor(Element.prototype, property)?.get as ((this: Element) => Given) | undefined, // of that property
);

/** Elements that script has given for ARIA relations, which no attribute says. */
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

  /** The attribute takes back what was given before, in the view too. */
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
