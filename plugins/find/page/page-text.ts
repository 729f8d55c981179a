import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { Chunk, textOf } from './chunk.ts';
import type { Piece } from './chunk.ts';
import type { Match, Matcher } from './matches.ts';
import { Walk } from './walk.ts';

/** Length of text from which a chunk ends at the next break. */
const CHUNK_UNITS = 8192;
/** Most text of one document that is searched, in UTF-16 units, and most breaks. */
const MOST_UNITS = 8 * 1024 * 1024;
/** Number of nodes after which the reader may pause. */
const STEP_NODES = 64;
/** Length of text that counts at least for each node. */
const NODE_UNITS = 4;

/** A chunk and where the matches in it begin. */
interface Searched {
  chunk: Chunk;
  starts: readonly number[];
}

/** The text of the document that a search goes through, and the matches in it. */
export class PageText {
  readonly #kernel: Kernel;
  #matcher: Matcher;
  #searched: Searched[] = [];
  /** Number of matches before each chunk, and of all at the end. */
  #before: number[] = [0];
  #chunkOf = new Map<Node, number>();
  #isCut = false;

  constructor(kernel: Kernel, matcher: Matcher) {
    this.#kernel = kernel;
    this.#matcher = matcher;
  }

  /** Searches for something else in what has been read; it has to tell the same apart. */
  search(matcher: Matcher): void {
    this.#matcher = matcher;
    for (const searched of this.#searched) searched.starts = matcher.starts(searched.chunk);
    this.#sum();
  }

  get count(): number {
    return this.#before.at(-1) ?? 0;
  }

  /** Whether the document has more text than is searched. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Reads and searches the document anew, in steps. What was found before is kept until the end. */
  *read(matcher = this.#matcher): Generator<undefined> {
    const searched: Searched[] = [];
    const chunkOf = new Map<Node, number>();
    let pieces: (Piece | undefined)[] = [];
    let units = 0;
    let total = 0;
    const end = (): void => {
      if (units === 0) return;
      const chunk = new Chunk(pieces, matcher.query);
      searched.push({ chunk, starts: matcher.starts(chunk) });
      pieces = [];
      units = 0;
    };
    const walk = new Walk(this.#kernel, {
      piece: (piece) => {
        if (total > MOST_UNITS) return;
        const length = Math.max(textOf(piece.source).length, NODE_UNITS);
        pieces.push(piece);
        chunkOf.set(piece.source, searched.length);
        units += length;
        total += length;
      },
      break: () => {
        if (pieces.length === 0 || pieces.at(-1) === undefined) return;
        pieces.push(undefined);
        if (units >= CHUNK_UNITS) end();
      },
    });
    while (total <= MOST_UNITS && walk.advance(STEP_NODES)) yield;
    end();
    this.#matcher = matcher;
    this.#searched = searched;
    this.#chunkOf = chunkOf;
    this.#isCut = total > MOST_UNITS;
    this.#sum();
  }

  /** Searches the chunks of these nodes anew. False: one of them is in none, and the whole has to be read. */
  renew(nodes: Iterable<Node>): boolean {
    const indexes = new Set<number>();
    for (const node of nodes) {
      const index = this.#chunkOf.get(node);
      if (index === undefined) return false;
      indexes.add(index);
    }
    for (const index of indexes) {
      const searched = this.#searched[index];
      if (!searched) continue;
      searched.chunk = new Chunk(searched.chunk.pieces, this.#matcher.query);
      searched.starts = this.#matcher.starts(searched.chunk);
    }
    this.#sum();
    return true;
  }

  /** A match by its number, from 0. */
  match(index: number): Match | undefined {
    if (index < 0 || index >= this.count) return undefined;
    let low = 0;
    let high = this.#searched.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#before[middle] ?? Infinity) <= index) low = middle;
      else high = middle - 1;
    }
    const searched = this.#searched[low];
    const start = searched?.starts[index - (this.#before[low] ?? 0)];
    return searched && start !== undefined
      ? { chunk: searched.chunk, start, end: start + this.#matcher.needle.length }
      : undefined;
  }

  /** The number of the first match at or after a place; undefined where the place is in no text that is searched. */
  from(source: Node, offset: number): number | undefined {
    const index = this.#chunkOf.get(source);
    const searched = index === undefined ? undefined : this.#searched[index];
    if (!searched) return undefined;
    const at = searched.chunk.find({ source: source as Text, offset }); // a key of the table is a source
    if (at === undefined) return undefined;
    const later = searched.starts.findIndex((start) => start >= at);
    const first = this.#before[index ?? 0] ?? 0;
    return later < 0 ? first + searched.starts.length : first + later;
  }

  /** Whether a node is one whose text is searched. */
  has(node: Node): boolean {
    return this.#chunkOf.has(node);
  }

  #sum(): void {
    let sum = 0;
    this.#before = [0];
    for (const { starts } of this.#searched) this.#before.push((sum += starts.length));
  }
}

/** Whether a node still is part of a document. */
export const isThere = (node: Node): boolean => dom.isConnected(node);
