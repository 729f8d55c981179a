import { ADDRESS_FUNCTIONS, BLOCKED_FUNCTIONS } from './css-policy.ts';
import { nameOf, rawOf, TOKEN } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

const NAMES: readonly string[] = [...ADDRESS_FUNCTIONS, ...BLOCKED_FUNCTIONS];
const MAX_NAME_UNITS = Math.max(...NAMES.map(({ length }) => length));
const NAMED: ReadonlySet<number> = new Set([TOKEN.ident, TOKEN.hash, TOKEN.at, TOKEN.dimension]);

/** Stands between tokens that a comment does not keep apart. Two: an escape at the end of a name takes one for its own. */
export const APART = '  ';

/** Whether a name ends as one of a function that the policy changes: an engine that reads it in two would find that one. */
export function endsAsFunction(name: string): boolean {
  return NAMES.some((each) => name.endsWith(each));
}

/**
 * Finds comments that white space has to replace. Engines write values down as text again, token by token; were a comment left out between
 * `url` and a parenthesis, or between `u` and `rl(`, a function would come of it whose strings were checked as plain text.
 */
export class DividedNames {
  readonly #tokens: Tokens;
  /** The end of the names since the last token that is neither one nor a comment; or a slash. */
  #before = '';
  /** Index after the last token that was taken. */
  #end = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Takes the next token. */
  take(at: number, type: number): void {
    const { types } = this.#tokens;
    const isNext = this.#end === at;
    this.#end = at + 1;
    if (type === TOKEN.comment && isNext) return;
    const before = this.#before;
    this.#before = '';
    if (types[at + 1] !== TOKEN.comment || type === TOKEN.comment) return; // nothing is divided here
    if (!NAMED.has(type) && !(type === TOKEN.delim && /[-/]/.test(rawOf(this.#tokens, at)))) return;
    const divided = isNext && types[at - 1] === TOKEN.comment ? before : '';
    this.#before = (divided + nameOf(this.#tokens, at)).slice(-MAX_NAME_UNITS);
  }

  /**
   * Whether the comment before a token that has not been taken yet must become white space.
   *
   * @param inAddress whether the token stands in a function with addresses: there all names count, such as `var`
   */
  mustPart(at: number, type: number, inAddress: boolean): boolean {
    if (this.#before === '' || this.#end !== at || this.#tokens.types[at - 1] !== TOKEN.comment) return false;
    if (type === TOKEN.delim) return this.#before.endsWith('/') && rawOf(this.#tokens, at) === '*';
    if (type !== TOKEN.leftRound && type !== TOKEN.function) return false;
    if (inAddress) return true;
    if (type === TOKEN.leftRound) return endsAsFunction(this.#before);
    const name = nameOf(this.#tokens, at);
    return NAMES.some((each) => each.length > name.length && (this.#before + name).endsWith(each));
  }
}
