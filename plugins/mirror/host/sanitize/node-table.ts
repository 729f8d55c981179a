import { AppError } from '../../../../core/protocol/errors.ts';
import { NODE } from './element-classes.ts';
import { refused } from './grammar.ts';

const PAGE_BITS = 12;
/** Maximum number of pages: 32 MiB of nodes in one epoch; past it the frame must start again. */
const MAX_PAGES = 8192;

/** Page halves number nodes in sequence; maximum gap between an id and the last one. */
const MAX_GAP = 256;

/** One byte for every node of an epoch: the state that the sanitizer needs for later ops on it. */
export class NodeTable {
  readonly #pages = new Map<number, Uint8Array>();

  /** Last page used, because ids come in runs. */
  #number = -1;
  #page: Uint8Array | undefined;
  #last = 0;

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
      page = new Uint8Array(1 << PAGE_BITS);
      this.#pages.set(id >> PAGE_BITS, page);
      this.#page = page;
    }
    page[id & ((1 << PAGE_BITS) - 1)] = kind;
  }

  #at(number: number): Uint8Array | undefined {
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
