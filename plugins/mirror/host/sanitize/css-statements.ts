import { ALWAYS, NEVER } from './css-policy.ts';
import { nameOf, rawOf, skipSpace, TOKEN } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** Returns the index after the semicolon that ends the statement at `at`; or of the brace that opens its block; or the count. */
export function statementEnd(tokens: Tokens, at: number): number {
  let depth = 0;
  for (let next = at; next < tokens.count; next++) {
    const type = tokens.types[next];
    if (type === TOKEN.function || type === TOKEN.leftRound || type === TOKEN.leftSquare) depth++;
    else if (type === TOKEN.rightRound || type === TOKEN.rightSquare) depth = Math.max(0, depth - 1);
    else if (type === TOKEN.leftCurly) return next;
    else if (depth === 0 && type === TOKEN.semicolon) return next + 1;
  }
  return tokens.count;
}

/** Whether the statement that starts here is a rule with a block: a brace comes before its end. */
export function isRule(tokens: Tokens, at: number, root: boolean): boolean {
  const { types, count } = tokens;
  const custom = types[at] === TOKEN.ident && rawOf(tokens, at).startsWith('--');
  if (custom && types[skipSpace(tokens, at + 1)] === TOKEN.colon) return false;
  let depth = 0;
  for (let next = at; next < count; next++) {
    const type = types[next] as number; // below the count
    if (type === TOKEN.function || type === TOKEN.leftRound || type === TOKEN.leftSquare) depth++;
    else if (type === TOKEN.rightRound || type === TOKEN.rightSquare) depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (type === TOKEN.leftCurly) return true;
    else if (type === TOKEN.semicolon || (type === TOKEN.rightCurly && !root)) return false;
  }
  return false;
}

/**
 * Returns the replacement of the media feature `scripting` in parentheses at `at`, with the index of its last token: the surrogate runs
 * scripts, the view does not.
 */
export function scriptingQuery(tokens: Tokens, at: number): { text: string; end: number } | undefined {
  const feature = skipSpace(tokens, at + 1);
  if (tokens.types[feature] !== TOKEN.ident || nameOf(tokens, feature) !== 'scripting') return undefined;
  const next = skipSpace(tokens, feature + 1);
  if (tokens.types[next] === TOKEN.rightRound) return { text: ALWAYS, end: next };
  if (tokens.types[next] !== TOKEN.colon) return undefined;
  const value = skipSpace(tokens, next + 1);
  const end = skipSpace(tokens, value + 1);
  if (tokens.types[value] !== TOKEN.ident || tokens.types[end] !== TOKEN.rightRound) return undefined;
  return { text: nameOf(tokens, value) === 'enabled' ? ALWAYS : NEVER, end };
}

/** An open block or parenthesis. */
export interface Open {
  readonly close: number;
  /** Whether statements start in it: a rule's block, or the text itself. */
  readonly block: boolean;
  /** Whether it is within `@font-face`: addresses are fonts. */
  readonly font: boolean;
  /** Whether strings directly in it are addresses. */
  readonly addresses: boolean;
  /** Name of the function, or empty. */
  readonly name: string;
  /** Number of paths by which nested rules may make a browser match the selectors around it; 0 where there are none. */
  readonly weight: number;
  statement: 'none' | 'selector' | 'at' | 'declaration';
  /** Name of the statement's at-rule. */
  rule: string;
}

/** Returns the block or parenthesis that a token opens. */
export function opened(
  close: number,
  { block = false, font = false, addresses = false, name = '', weight = 0 }: Partial<Open> = {},
): Open {
  return { close, block, font, addresses, name, weight, statement: 'none', rule: '' };
}
