import { dom, focusedElement } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** The focused element, and whether the focus is visible. */
export class Focus implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #id = 0;
  #visible = 0;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    for (const type of ['focusin', 'focusout']) kernel.listen(type, () => kernel.schedule());
    // In the view a press moves the focus by default: if the page has prevented it, the focus is sent again. After a prevented `pointerdown`
    // there is no `mousedown`.
    for (const type of ['pointerdown', 'mousedown'])
      kernel.listen(type, (event) => {
        const before = this.#id;
        setTimeout(() => {
          if (this.#id !== before || (type === 'pointerdown' && !event.defaultPrevented)) return;
          this.#id = -1;
          kernel.schedule();
        });
      });
  }

  reset(): void {
    this.#id = 0;
    this.#visible = 0;
  }

  collect(): void {
    const element = focusedElement(this.#kernel);
    const id = element ? this.#kernel.idOf(element) : 0;
    const visible = element && id !== 0 && dom.matches(element, ':focus-visible') ? 1 : 0;
    if (id === this.#id && visible === this.#visible) return;
    this.#id = id;
    this.#visible = visible;
    this.#writer.op([OP.focus, id, visible]);
  }
}
