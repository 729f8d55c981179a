import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import type { SentOp } from '../op-table.ts';
import { OP, TRANSITION } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** View transitions: before the change of the page, after it, and at the end. */
export class Transitions implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #current: ViewTransition | undefined;
  #isChanged = false;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    // The old state must be shown before the first of the changes.
    writer.onFirst(() => this.#start());
  }

  /** Changes made before the old state has been captured are part of it. */
  isUrgent(): boolean {
    const transition = dom.viewTransition(document);
    return !!transition && transition !== this.#current && !isCaptured();
  }

  reset(): void {
    // A transition that started before the document was sent is shown in its current state.
  }

  collect(full: boolean): void {
    const started = full ? this.#start() : undefined;
    if (started) this.#writer.op(started);
    if (!this.#current) return;
    if (this.#isChanged) this.#writer.op([OP.transition, TRANSITION.changed]);
    this.#isChanged = false;
    if (dom.viewTransition(document) === this.#current) return;
    this.#current = undefined;
    this.#writer.op([OP.transition, TRANSITION.over]);
  }

  #start(): SentOp | undefined {
    const transition = dom.viewTransition(document);
    if (!transition || transition === this.#current || !isCaptured()) return undefined;
    this.#current = transition;
    const changed = (): void => {
      if (this.#current !== transition) return;
      this.#isChanged = true;
      this.#kernel.schedule();
    };
    transition.updateCallbackDone.then(changed, changed);
    const types = [...((transition as { types?: Iterable<string> }).types ?? [])]; // missing from some compilers' types
    return [OP.transition, TRANSITION.started, ...types];
  }
}

/** Whether the old state has been captured, judged by the size of the root's group: changes made before belong to the old state. */
function isCaptured(): boolean {
  const root = dom.documentElement(document);
  const name = root && getComputedStyle(root).getPropertyValue('view-transition-name');
  if (!name || name === 'none') return true; // there is no other sign
  return getComputedStyle(root, `::view-transition-group(${CSS.escape(name)})`).width !== 'auto';
}
