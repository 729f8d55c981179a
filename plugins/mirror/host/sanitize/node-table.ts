import { AppError } from '../../../../core/protocol/errors.ts';
import { NODE } from './element-classes.ts';
import { refused } from './grammar.ts';

const PAGE_BITS = 12;
/** Maximum number of pages: 32 MiB of nodes in one epoch; past it the frame must start again. */
const MAX_PAGES = 8192;
/** Maximum number of pages of all frames of a tab: 64 MiB. */
const MAX_TAB_PAGES = 16_384;

/** Page halves number nodes in sequence; maximum gap between an id and the last one. */
const MAX_GAP = 256;

/** Counts the pages of all frames of a tab. */
export class NodePages {
  #left = MAX_TAB_PAGES;

  /** @throws AppError `mirror-refused` when the frames have too many nodes. */
  take(): void {
    if (this.#left <= 0) throw new AppError('mirror-refused', 'too many nodes in all frames', { retryable: true });
    this.#left -= 1;
  }

  release(pages: number): void {
    this.#left += pages;
  }
}

/** One byte for every node of an epoch: the state that the sanitizer needs for later ops on it. */
export class NodeTable {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #budget: NodePages;

  /** Last page used, because ids come in runs. */
  #number = -1;
  #page: Uint8Array | undefined;
  #last = 0;

  /** @param budget pages of all frames of the tab; {@link clear} gives them back */
  constructor(budget: NodePages) {
    this.#budget = budget;
  }

  get(id: number): number {
    return this.#at(id >> PAGE_BITS)?.[id & ((1 << PAGE_BITS) - 1)] ?? NODE.unknown;
  }

  /** @throws AppError `mirror-refused` when there are more nodes, or larger gaps, than the table allows. */
  set(id: number, kind: number): void {
    if (id > this.#last + MAX_GAP) throw refused('node ids are too far apart');
    this.#last = Math.max(this.#last, id);
    let page = this.#at(id >> PAGE_BITS);
    if (!page) {
      if (this.#pages.size >= MAX_PAGES) throw new AppError('mirror-refused', 'too many nodes', { retryable: true });
      this.#budget.take();
      page = new Uint8Array(1 << PAGE_BITS);
      this.#pages.set(id >> PAGE_BITS, page);
      this.#page = page;
    }
    page[id & ((1 << PAGE_BITS) - 1)] = kind;
  }

  /** Called when the document is not needed any more. */
  clear(): void {
    this.#budget.release(this.#pages.size);
    this.#pages.clear();
    this.#number = -1;
    this.#page = undefined;
    this.#last = 0;
  }

  #at(number: number): Uint8Array | undefined {
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
