import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Slots checked in one flush, and after a poll. */
const FLUSH_BUDGET = 20;
const POLL_BUDGET = 200;

interface Slot {
  readonly element: HTMLSlotElement;
  readonly id: number;
  /** Ids of the assigned nodes, as sent. */
  assigned: string;
}

/** Nodes that script has assigned to slots, in shadow roots with manual slot assignment. */
export class Slots implements Tracker {
  readonly names = ['slot'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #slots = new Sweep<Slot>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    kernel.listen('slotchange', () => kernel.schedule());
  }

  added(element: Element, id: number): void {
    const root = dom.rootOf(element) as Partial<ShadowRoot>; // may be any root
    if (root.slotAssignment === 'manual' && dom.isHtml(element, 'slot')) this.#slots.add({ element, id, assigned: '' });
  }

  reset(): void {
    this.#slots = new Sweep();
  }

  collect(full: boolean): void {
    this.#slots.run(full ? POLL_BUDGET : FLUSH_BUDGET, (slot) => this.#look(slot));
  }

  #look(slot: Slot): boolean {
    const { element, id } = slot;
    if (this.#kernel.idOf(element) !== id) return false;
    const ids = element.assignedNodes().map((node) => this.#kernel.idOf(node));
    const sent = ids.filter((node) => node !== 0);
    if (sent.join() === slot.assigned) return true;
    slot.assigned = sent.join();
    this.#writer.op([OP.assign, id, ...sent]);
    return true;
  }
}
