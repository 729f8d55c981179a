import type { Kernel } from '../../../core/page.ts';

/** Events of a movement. */
const MOVES = ['pointerrawupdate', 'pointermove', 'mousemove'];
/** Longest time for which movement is kept from the page, in ms: the host lets it through again well before. */
const LONGEST_MS = 10_000;

/** A place in the frame's viewport. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Keeps movement from the page while the host brings the pointer to another place: a movement that nobody has made. It listens from the first
 * time on, as listeners are called in the order in which they were added.
 */
export class HeldMoves {
  readonly #kernel: Kernel;
  #isHeld = false;
  #undo: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Point = { x: 0, y: 0 };

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  hold(): void {
    this.#isHeld = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.release(), LONGEST_MS);
    if (this.#undo.length === 0) this.#undo = MOVES.map((type) => this.#kernel.listen(type, this.#keep));
  }

  /** Lets movement through again, and returns the place of the last that was held. */
  release(): Point {
    this.#isHeld = false;
    clearTimeout(this.#timer);
    return this.#last;
  }

  dispose(): void {
    this.release();
    for (const undo of this.#undo.splice(0)) undo();
  }

  readonly #keep = (event: Event): void => {
    if (!this.#isHeld || !event.isTrusted) return;
    event.stopImmediatePropagation();
    const { clientX, clientY } = event as MouseEvent; // by its type
    this.#last = { x: clientX, y: clientY };
  };
}
