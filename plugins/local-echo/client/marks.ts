import type { Editable } from '../../../core/index.ts';

/** Questions to the page that may be open at a time: with more, one answer stands for several acts. */
const MOST_OPEN = 8;
/** Time after which a question counts as lost, in ms. */
const LOST_MS = 10_000;
/** Delay of the question about rich text, in ms: its editors work for a while after a key (M-105). */
const RICH_DELAY_MS = 100;

/** A question about all acts up to `seq`. */
interface Mark {
  readonly seq: number;
  readonly frame: number;
  readonly isRich: boolean;
  /** Later acts wait for the answer. */
  readonly isExact: boolean;
}

/** Asks how far the page is with what the person has done. */
export class Marks {
  readonly #send: (mark: Mark) => void;
  #open: readonly { readonly seq: number; readonly at: number }[] = [];
  /** The last act that nobody has asked about. */
  #next: Mark | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (mark: Mark) => void) {
    this.#send = send;
  }

  /** Asks about all acts up to this one: soon, or at once where later acts are to wait for the answer. */
  ask(seq: number, field: Editable | undefined, isExact: boolean): void {
    const isRich = field?.kind === 'rich';
    this.#next = { seq, frame: field?.target.frame ?? 1, isRich, isExact: isExact || this.#next?.isExact === true };
    if (isRich && !this.#next.isExact) this.#timer ??= setTimeout(() => this.#flush(), RICH_DELAY_MS);
    else this.#flush();
  }

  /** There is an answer about all acts up to this one. */
  answered(seq: number): void {
    this.#open = this.#open.filter((each) => each.seq > seq);
    if (this.#timer === undefined) this.#flush();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const next = this.#next;
    const now = performance.now();
    this.#open = this.#open.filter(({ at }) => now - at < LOST_MS);
    if (!next || this.#open.length >= MOST_OPEN) return;
    this.#next = undefined;
    this.#open = [...this.#open, { seq: next.seq, at: now }];
    this.#send(next);
  }
}
