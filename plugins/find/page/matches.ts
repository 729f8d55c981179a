import type { Chunk } from './chunk.ts';
import { foldText } from './fold.ts';
import type { Sensitivity } from './fold.ts';

/** A text to search for, and how. */
export interface Query extends Sensitivity {
  readonly text: string;
  readonly wholeWords: boolean;
}

/** A match in a chunk: from one place of its text up to another. */
export interface Match {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
}

/** Length of the text around an end of a match by which it is decided whether a word ends there. */
const AROUND = 32;
const WORD = /^[\p{L}\p{N}_]{2}$/u;
const MARK = /^\p{M}$/u;

/** Finds the places of a query in chunks. */
export class Matcher {
  /** As the chunks are folded; empty where there is nothing to find. */
  readonly needle: string;
  readonly query: Query;
  #words: Intl.Segmenter | undefined;

  constructor(query: Query) {
    this.query = query;
    this.needle = foldText(query.text, query);
  }

  /** The places where matches begin, ascending. They do not overlap. */
  starts(chunk: Chunk): number[] {
    const { needle } = this;
    const found: number[] = [];
    if (needle === '') return found;
    for (let at = chunk.text.indexOf(needle); at >= 0;) {
      const isMatch = this.#isMatch(chunk, at, at + needle.length);
      if (isMatch) found.push(at);
      at = chunk.text.indexOf(needle, isMatch ? at + needle.length : at + 1);
    }
    return found;
  }

  #isMatch(chunk: Chunk, start: number, end: number): boolean {
    if (!chunk.isBetween(start) || !chunk.isBetween(end)) return false;
    const { text } = chunk;
    // A letter does not match without the mark that follows it.
    const next = text.charCodeAt(end);
    if (this.query.matchDiacritics && next >= 0x300 && MARK.test(text.charAt(end))) return false;
    return !this.query.wholeWords || (this.#isWordEnd(text, start) && this.#isWordEnd(text, end));
  }

  #isWordEnd(text: string, at: number): boolean {
    if (at === 0 || at === text.length) return true;
    // Two letters of ASCII are one word: by far the most common case.
    if (WORD.test(text.slice(at - 1, at + 1)) && text.charCodeAt(at) < 0x80 && text.charCodeAt(at - 1) < 0x80)
      return false;
    const from = Math.max(0, at - AROUND);
    this.#words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    const segment = this.#words.segment(text.slice(from, at + AROUND)).containing(at - from);
    return segment?.index === at - from;
  }
}
