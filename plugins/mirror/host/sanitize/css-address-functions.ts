import { INSIDE_ADDRESS_FUNCTIONS } from './css-policy.ts';
import { nameOf, rawOf, TOKEN } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** Looks into functions that take addresses for substitutions, each token once: they may stand in each other. */
export class AddressFunctions {
  readonly #tokens: Tokens;
  /** Tokens before this one have been looked at, with this outcome for the last ones. */
  #checked = 0;
  #plain = true;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Whether the function at a token holds only addresses that can be checked here. Tokens are asked for in order. */
  areChecked(at: number, name: string): boolean {
    const { types, count } = this.#tokens;
    // Browsers read an escaped `url(` without a quote after it as one token, ours does not.
    if (name === 'url' && rawOf(this.#tokens, at).includes('\\')) {
      const next = types[at + 1] === TOKEN.space ? at + 2 : at + 1;
      if (types[next] !== TOKEN.string) return false;
    }
    if (at < this.#checked) return this.#plain;
    let depth = 0;
    let plain = true;
    let next = at;
    for (; next < count; next++) {
      const type = types[next];
      if (type === TOKEN.function || type === TOKEN.leftRound) {
        depth++;
        if (next > at && type === TOKEN.function) plain &&= INSIDE_ADDRESS_FUNCTIONS.test(nameOf(this.#tokens, next));
      } else if (type === TOKEN.rightRound && --depth === 0) break;
    }
    this.#checked = next;
    this.#plain = plain;
    return plain;
  }

  /** Whether a token stands in a function that was asked about. */
  areAround(at: number): boolean {
    return at < this.#checked;
  }
}
