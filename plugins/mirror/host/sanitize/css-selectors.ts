import { nameOf, rawOf, skipSpace, stringOf, TOKEN, unescape } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';
import { EXOTIC } from './css-policy.ts';
import {
  ALWAYS_SET,
  CASELESS_ORIGINALS,
  ORIGINAL_PREFIX,
  ORIGINALS,
  RENAMED_HTML,
  RENAMED_PREFIX,
  TEXT_LIKE_TYPES,
  TYPE_ATTRIBUTE,
} from './policy.ts';

/** Matches the fullscreen element, which the view only gives the place of one. */
const FULLSCREEN = '[data-vitrine-fullscreen]';
/** Matches nothing: whether the person's browser has something to fill in is not for the page's rules to find out. */
const FILLED = '[data-vitrine-autofill]';
const PSEUDO_CLASSES: ReadonlyMap<string, string> = new Map([
  ...['fullscreen', '-webkit-full-screen', '-moz-full-screen'].map((name) => [name, FULLSCREEN] as const),
  ...['autofill', '-webkit-autofill', '-moz-autofill', '-moz-autofill-preview'].map((name) => [name, FILLED] as const),
]);

/** Returns the replacement of a type selector for renamed elements; undefined when the identifier is not one, or stays. */
export function rewriteTypeSelector(tokens: Tokens, at: number): string | undefined {
  const before = at > 0 ? tokens.types[at - 1] : TOKEN.space;
  if (before === TOKEN.colon || (before === TOKEN.delim && rawOf(tokens, at - 1) === '.')) return undefined;
  const name = nameOf(tokens, at);
  return RENAMED_HTML.has(name) ? RENAMED_PREFIX + name : undefined;
}

/** Returns the replacement of the pseudo-class whose colon is at `at`, with the name after it; undefined when it stays. */
export function rewritePseudoClass(tokens: Tokens, at: number): string | undefined {
  const { types } = tokens;
  if (types[at - 1] === TOKEN.colon || types[at + 1] !== TOKEN.ident) return undefined;
  return PSEUDO_CLASSES.get(nameOf(tokens, at + 1));
}

/**
 * Returns the replacement of the attribute selector whose bracket is at `at`, with the index of its closing bracket. Types that are
 * shown as text inputs keep their own in another attribute (M-061), and `[type=text]` must not match those. The specificity stays.
 * The attribute whose original value it compares is added to `asked`.
 */
export function rewriteAttributeSelector(
  tokens: Tokens,
  at: number,
  asked: Set<string>,
): { text: string; end: number } | undefined {
  const { types } = tokens;
  const name = skipSpace(tokens, at + 1);
  if (types[name] !== TOKEN.ident) return undefined;
  if (ORIGINALS.has(nameOf(tokens, name))) return rewriteOriginal(tokens, name, asked);
  if (nameOf(tokens, name) !== 'type') return undefined;
  const equals = skipSpace(tokens, name + 1);
  if (types[equals] !== TOKEN.delim) return undefined;
  if (rawOf(tokens, equals) !== '=') return rewriteCopied(tokens, name, TYPE_ATTRIBUTE, true);
  const operand = skipSpace(tokens, equals + 1);
  let end = skipSpace(tokens, operand + 1);
  if (types[end] === TOKEN.ident) end = skipSpace(tokens, end + 1);
  if (types[end] !== TOKEN.rightSquare) return undefined;
  const raw = rawOf(tokens, operand);
  if (types[operand] !== TOKEN.ident && types[operand] !== TOKEN.string) return undefined;
  const value = (types[operand] === TOKEN.string ? stringOf(raw) : unescape(raw)).toLowerCase();
  const selector = tokens.text.slice(tokens.starts[at], tokens.starts[end + 1]);
  if (TEXT_LIKE_TYPES.has(value)) return { text: `[${TYPE_ATTRIBUTE}="${value}"]`, end };
  if (value !== 'text') return undefined;
  const guard = `:where(:not([${TYPE_ATTRIBUTE}]))`;
  return tokens.text.startsWith(guard, tokens.starts[end + 1]) ? undefined : { text: selector + guard, end };
}

/** The same for an attribute that may be changed here: the selector compares the copy of its original value. */
function rewriteOriginal(
  tokens: Tokens,
  nameAt: number,
  asked: Set<string>,
): { text: string; end: number } | undefined {
  const name = nameOf(tokens, nameAt);
  const made = rewriteCopied(tokens, nameAt, ORIGINAL_PREFIX + name, CASELESS_ORIGINALS.has(name));
  if (made?.compares) asked.add(name);
  return made;
}

/** The same for an attribute with a copy: elements that have none of that name are matched by the attribute itself. */
function rewriteCopied(
  tokens: Tokens,
  nameAt: number,
  copy: string,
  isCaseless: boolean,
): { text: string; end: number; compares: boolean } | undefined {
  const { types, starts, text } = tokens;
  const name = nameOf(tokens, nameAt);
  let end = nameAt + 1;
  while (PLAIN.has(types[end] ?? 0)) end++;
  if (types[end] !== TOKEN.rightSquare) return undefined;
  const others = ALWAYS_SET.get(name);
  const guard = `:where(:not([${copy}]${others === undefined ? '' : `,${others}`}))`;
  if (text.startsWith(guard, starts[end + 1])) return undefined;
  let rest = text.slice(starts[nameAt + 1], starts[end]);
  if (EXOTIC.test(rest)) return undefined;
  const hasFlag = /["'\s/][is]\s*$/i.test(rest);
  const compares = rest.includes('=');
  if (compares && isCaseless && !hasFlag) rest += ' i';
  return { text: `:is([${copy}${rest}],[${name}${rest}]${guard})`, end, compares };
}

const PLAIN: ReadonlySet<number> = new Set([TOKEN.space, TOKEN.comment, TOKEN.delim, TOKEN.ident, TOKEN.string]);
