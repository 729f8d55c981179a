import { resolve } from './addresses.ts';
import {
  escaped,
  isClosedString,
  isClosedUrl,
  nameOf,
  quote,
  rawOf,
  skipSpace,
  stringOf,
  TOKEN,
  urlOf,
} from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** An `@import` that waits for its sheet. All texts are source text, not yet sanitized as fragments. */
export interface Import {
  /** Absolute address of the sheet. */
  readonly address: string;
  /** Media query list, or empty. */
  readonly media: string;
  /** Cascade layer: its name, empty for an anonymous one, absent for none. */
  readonly layer?: string;
  /** Condition, without its parentheses. */
  readonly supports?: string;
}

/** Reads the `@import` at `at`, whose statement ends before `end`; undefined when a browser would ignore it. */
export function parseImport(tokens: Tokens, at: number, end: number, base: string): Import | undefined {
  const { types } = tokens;
  if (types[end] === TOKEN.leftCurly) return undefined;
  const stop = types[end - 1] === TOKEN.semicolon ? end - 1 : end;
  const first = skipSpace(tokens, at + 1);
  const target = addressAt(tokens, first);
  if (!target || target.end > stop) return undefined;
  const url = resolve(target.address.trim(), base);
  if (!url || target.address === '') return undefined;
  url.hash = '';
  let next = skipSpace(tokens, target.end);
  let layer: string | undefined;
  let supports: string | undefined;
  if (next < stop && types[next] === TOKEN.ident && nameOf(tokens, next) === 'layer') {
    layer = '';
    next = skipSpace(tokens, next + 1);
  } else if (next < stop && types[next] === TOKEN.function && nameOf(tokens, next) === 'layer') {
    const close = closeOf(tokens, next, stop);
    layer = sourceOf(tokens, next + 1, close);
    next = skipSpace(tokens, close + 1);
  }
  if (next < stop && types[next] === TOKEN.function && nameOf(tokens, next) === 'supports') {
    const close = closeOf(tokens, next, stop);
    supports = sourceOf(tokens, next + 1, close);
    next = skipSpace(tokens, close + 1);
  }
  return {
    address: url.href,
    media: sourceOf(tokens, Math.min(next, stop), stop),
    ...(layer === undefined ? {} : { layer }),
    ...(supports === undefined ? {} : { supports }),
  };
}

/**
 * Returns the `@namespace` from `at` to `end` with its name as a string, not as an address: it is never fetched, and no reader can
 * take it for something that is. Undefined when it is not well-formed.
 */
export function parseNamespace(tokens: Tokens, at: number, end: number): string | undefined {
  const { types } = tokens;
  const first = skipSpace(tokens, at + 1);
  const prefix = types[first] === TOKEN.ident ? ` ${escaped(rawOf(tokens, first))}` : '';
  const target = addressAt(tokens, prefix === '' ? first : skipSpace(tokens, first + 1));
  if (!target) return undefined;
  const last = skipSpace(tokens, target.end);
  const isWhole = types[last] === TOKEN.semicolon ? last + 1 === end : last >= tokens.count && end === tokens.count;
  return isWhole ? `@namespace${prefix} ${quote(target.address)};` : undefined;
}

/** The address in a closed string, url token or quoted `url()` at an index, and the index after it. */
function addressAt(tokens: Tokens, at: number): { address: string; end: number } | undefined {
  const { types } = tokens;
  if (at >= tokens.count) return undefined;
  const raw = rawOf(tokens, at);
  if (types[at] === TOKEN.string) return isClosedString(raw) ? { address: stringOf(raw), end: at + 1 } : undefined;
  if (types[at] === TOKEN.url) return isClosedUrl(raw) ? { address: urlOf(raw), end: at + 1 } : undefined;
  if (types[at] !== TOKEN.function || raw.toLowerCase() !== 'url(') return undefined;
  const string = types[at + 1] === TOKEN.space ? at + 2 : at + 1;
  const close = skipSpace(tokens, string + 1);
  if (types[string] !== TOKEN.string || types[close] !== TOKEN.rightRound) return undefined;
  return { address: stringOf(rawOf(tokens, string)), end: close + 1 };
}

function closeOf(tokens: Tokens, at: number, stop: number): number {
  let depth = 0;
  for (let next = at; next < stop; next++) {
    const type = tokens.types[next];
    if (type === TOKEN.function || type === TOKEN.leftRound) depth++;
    else if (type === TOKEN.rightRound && --depth === 0) return next;
  }
  return stop;
}

function sourceOf(tokens: Tokens, from: number, to: number): string {
  return tokens.text.slice(tokens.starts[from], tokens.starts[to]).trim();
}
