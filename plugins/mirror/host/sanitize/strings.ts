import { NO_STRING } from '../../ops.ts';

/** The string table of a batch being written: texts of another table by their index there, and new ones. */
export class Strings {
  readonly #source: readonly string[];
  readonly #moved: Int32Array;
  readonly #indices = new Map<string, number>();
  readonly list: string[] = [];

  constructor(source: readonly string[]) {
    this.#source = source;
    this.#moved = new Int32Array(source.length).fill(-1);
  }

  /** The text of a source index; empty for {@link NO_STRING}. */
  text(index: number): string {
    return this.#source[index] ?? '';
  }

  /** Takes a source string over unchanged. */
  pass(index: number): number {
    if (index === NO_STRING) return NO_STRING;
    const moved = this.#moved[index] as number; // the grammar has checked the index
    if (moved >= 0) return moved;
    return (this.#moved[index] = this.add(this.text(index)));
  }

  /** Takes a source string over unchanged; none becomes the empty string. */
  passText(index: number): number {
    return index === NO_STRING ? this.add('') : this.pass(index);
  }

  /** Index of a text, which is added when it is new. */
  add(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}
