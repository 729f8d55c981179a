import type { Import } from './css-imports.ts';
import type { Tokens } from './css-tokens.ts';

/** Least length of a part of a sheet before another begins, in UTF-16 units. */
const PART_UNITS = 128 * 1024;

/** The rewritten text of a sheet while it is read: its source text, but for texts that stand in the place of tokens; in parts. */
export class CssOutput {
  readonly #tokens: Tokens;
  readonly #parts: (string | Import)[] = [];
  #text = '';
  /** Offset in the source up to which the text has been taken over. */
  #taken = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Puts a text in the place of a token, or of several; answers with the last of them. */
  put(at: number, text: string, last = at): number {
    this.#takeTo(this.#tokens.starts[at] as number); // a token's own start
    this.#text += text;
    this.#taken = this.#tokens.starts[last + 1] as number; // one past a token
    return last;
  }

  /** Puts an import in the place of its tokens, those before `end`: a part of its own. */
  putImport(at: number, found: Import, end: number): void {
    this.#takeTo(this.#tokens.starts[at] as number); // a token's own start
    this.#parts.push(this.#text, found);
    this.#text = '';
    this.#taken = this.#tokens.starts[end] as number; // one past a token is at most the count
  }

  /** Ends a part before a token, where it has grown large. */
  endLargePart(next: number): void {
    const end = this.#tokens.starts[next] as number; // one past a token
    if (this.#text.length + end - this.#taken < PART_UNITS) return;
    this.#takeTo(end);
    this.#parts.push(this.#text);
    this.#text = '';
  }

  /** The parts, with the rest of the source and `closers` after it. Called once. */
  end(closers: string): (string | Import)[] {
    this.#takeTo(this.#tokens.text.length);
    this.#parts.push(this.#text + closers);
    return this.#parts;
  }

  #takeTo(offset: number): void {
    if (offset > this.#taken) this.#text += this.#tokens.text.slice(this.#taken, offset);
    this.#taken = Math.max(this.#taken, offset);
  }
}
