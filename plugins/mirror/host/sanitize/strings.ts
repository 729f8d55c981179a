import { NO_STRING } from '../../ops.ts';
import { refused } from './grammar.ts';

/**
 * Maximum length of strings that a batch may have sanitized, in UTF-16 units, beyond its own strings: one long text in many ops would
 * block the host for minutes. Page halves share only short ones.
 */
const SHARED_UNITS = 32 * 1024 * 1024;

/** The string table of a batch that is being written: texts of the source table by their index there, and new ones. */
export class Strings {
  readonly #source: readonly string[];
  readonly #moved: Int32Array;
  readonly #indices = new Map<string, number>();
  readonly list: string[] = [];
  #budget = SHARED_UNITS;

  constructor(source: readonly string[]) {
    this.#source = source;
    for (const { length } of source) this.#budget += length;
    this.#moved = new Int32Array(source.length).fill(-1);
  }

  /** Returns the text of a source index; empty for {@link NO_STRING}. @throws AppError `mirror-refused` when too much was asked for. */
  text(index: number): string {
    const text = this.#source[index] ?? '';
    this.#budget -= text.length;
    if (this.#budget < 0) throw refused('too much text from shared strings');
    return text;
  }

  /** Copies a source string unchanged. */
  pass(index: number): number {
    if (index === NO_STRING) return NO_STRING;
    const moved = this.#moved[index] as number; // the grammar has checked the index
    if (moved >= 0) return moved;
    return (this.#moved[index] = this.add(this.text(index)));
  }

  /** Copies a source string unchanged; none becomes the empty string. */
  passText(index: number): number {
    return index === NO_STRING ? this.add('') : this.pass(index);
  }

  /** Returns the index of a text; adds it when it is new. */
  add(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}
