import { nameOf, rawOf, skipSpace, TOKEN } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** A custom property by its plain name, which no browser reads as something else. */
const PLAIN_PROPERTY = /^--[\w-]+$/;
/** Units of resolution, in `dppx` (CSS Values and Units 4, section 7.4). */
const DPPX: Readonly<Record<string, number>> = { x: 1, dppx: 1, dpi: 1 / 96, dpcm: 2.54 / 96 };

interface Option {
  readonly text: string;
  /** Resolution in dppx. */
  readonly resolution: number;
  /** Its last token. */
  readonly end: number;
}

/**
 * The option for an ordinary screen of an `image-set()` whose options are all substitutions, with the last token of the function; undefined
 * for any other. Inside the function a string that is substituted would be an address; in its place it is none. The function is at `at`.
 */
export function substitutedOption(
  tokens: Tokens,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const { types } = tokens;
  let best: Option | undefined;
  for (let next = skipSpace(tokens, at + 1); ;) {
    const option = optionAt(tokens, next);
    if (!option) return undefined;
    if (!best || Math.abs(option.resolution - 1) < Math.abs(best.resolution - 1)) best = option;
    const after = skipSpace(tokens, option.end + 1);
    if (types[after] === TOKEN.rightRound) return { text: best.text, end: after };
    if (types[after] !== TOKEN.comma) return undefined;
    next = skipSpace(tokens, after + 1);
  }
}

/** `var(--name)` with or without a resolution. */
function optionAt(tokens: Tokens, at: number): Option | undefined {
  const { types } = tokens;
  if (types[at] !== TOKEN.function || nameOf(tokens, at) !== 'var') return undefined;
  const property = skipSpace(tokens, at + 1);
  const name = types[property] === TOKEN.ident ? rawOf(tokens, property) : '';
  const closing = skipSpace(tokens, property + 1);
  if (!PLAIN_PROPERTY.test(name) || types[closing] !== TOKEN.rightRound) return undefined;
  const text = `var(${name})`;
  const unit = skipSpace(tokens, closing + 1);
  if (types[unit] !== TOKEN.dimension) return { text, resolution: 1, end: closing };
  const [, amount = '', measure = ''] = /^([\d.]+)(\w+)$/.exec(rawOf(tokens, unit)) ?? [];
  const dppx = DPPX[measure.toLowerCase()];
  return dppx === undefined ? undefined : { text, resolution: Number(amount) * dppx, end: unit };
}
