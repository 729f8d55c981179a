import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { MONOSPACE_ATTRIBUTE, OP } from '../ops.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Elements checked after a poll, and in a flush, where they are new; descendants checked with one of them. */
const POLL_BUDGET = 200;
const FLUSH_BUDGET = 200;
const INNER = 20;
/** Inputs whose own font is `monospace`. */
const DATES = /^(?:date|time|datetime-local|month|week)$/;

interface Mono {
  readonly element: Element;
  readonly id: number;
  /** Last size sent. */
  size: string;
}

/**
 * Font sizes of elements whose family is `monospace` alone. Browsers give that family a default size of its own, so the view needs the
 * size where it uses another family instead.
 */
export class Monospace implements Tracker {
  readonly names = ['pre', 'code', 'kbd', 'samp', 'tt', 'xmp', 'listing', 'plaintext', 'textarea', 'input'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  #elements = new Sweep<Mono>();
  #fresh: Mono[] = [];

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  added(element: Element, id: number): void {
    if (dom.isHtml(element, 'input') && !DATES.test(element.type)) return;
    const mono = { element, id, size: '' };
    this.#elements.add(mono);
    if (this.#fresh.length < FLUSH_BUDGET) this.#fresh.push(mono);
  }

  reset(): void {
    this.#elements = new Sweep();
    this.#fresh = [];
  }

  collect(full: boolean): void {
    for (const mono of this.#fresh) this.#look(mono);
    this.#fresh = [];
    if (full) this.#elements.run(POLL_BUDGET, (mono) => this.#look(mono));
  }

  #look(mono: Mono): boolean {
    const { element, id } = mono;
    if (this.#kernel.idOf(element) !== id) return false;
    const style = getComputedStyle(element);
    // Descendants with another family have sizes that depend on this one.
    const size = style.fontFamily === 'monospace' && isAlike(element) ? tripled(style.fontSize) : '';
    if (size === mono.size) return true;
    mono.size = size;
    const writer = this.#writer;
    writer.op([OP.attribute, id, MONOSPACE_ATTRIBUTE, size === '' ? null : size]);
    return true;
  }
}

/**
 * Three times a computed font size. Both that and a typed `attr()` have six significant digits, which is not enough for sizes in points:
 * 10pt is 40px / 3, 13.3333px less.
 */
function tripled(size: string): string {
  const pixels = parseFloat(size);
  const whole = Math.round(pixels * 3);
  return `${Number((whole / 3).toPrecision(6)) === pixels ? whole : pixels * 3}px`;
}

function isAlike(element: Element): boolean {
  let left = INNER;
  for (const inner of element.getElementsByTagName('*')) {
    if (left-- === 0) break;
    if (getComputedStyle(inner).fontFamily !== 'monospace') return false;
  }
  return true;
}
