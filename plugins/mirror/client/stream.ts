import { NO_STRING } from '../ops.ts';
import type { Op } from '../ops.ts';

/** Reads the fields of an op in order. */
export class Stream {
  readonly #op: Op;
  readonly #strings: readonly string[];
  #at = 1;

  constructor(op: Op, strings: readonly string[]) {
    this.#op = op;
    this.#strings = strings;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#op.length;
  }

  /** @throws RangeError past the end. */
  next(): number {
    const value = this.#op[this.#at++];
    if (value === undefined) throw new RangeError('an op is too short');
    return value;
  }

  /** Reads a string; empty for none. @throws RangeError for an unknown index. */
  text(): string {
    return textAt(this.#strings, this.next()) ?? '';
  }
}

/** Returns the string of an index, or undefined for none. @throws RangeError for an unknown index. */
export function textAt(strings: readonly string[], index: number): string | undefined {
  if (index === NO_STRING) return undefined;
  const text = strings[index];
  if (text === undefined) throw new RangeError('unknown string index');
  return text;
}
