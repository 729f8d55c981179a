import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** The element that the document's fragment names, as in `:target`. */
export class Targeted implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #id = 0;
  #isDirty = true;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    for (const type of ['hashchange', 'popstate', 'DOMContentLoaded'])
      kernel.listen(type, () => {
        this.#isDirty = true;
        kernel.schedule();
      });
  }

  reset(): void {
    this.#id = 0;
    this.#isDirty = true;
  }

  /** A fragment may also match an element later, or lose it: checked after each poll where there is a fragment. */
  collect(full: boolean): void {
    if (!this.#isDirty && !(full && (this.#id !== 0 || dom.address(document).includes('#')))) return;
    this.#isDirty = false;
    const [element] = dom.all(document, ':target');
    const id = element ? this.#kernel.idOf(element) : 0;
    if (id === this.#id) return;
    this.#id = id;
    this.#writer.op([OP.target, id]);
  }
}
