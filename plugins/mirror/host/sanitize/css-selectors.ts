import { nameOf, rawOf, skipSpace, stringOf, TOKEN, unescape } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';
import { RENAMED_HTML, RENAMED_PREFIX, TEXT_LIKE_TYPES, TYPE_ATTRIBUTE } from './policy.ts';

/** What a type selector becomes when elements of that name are renamed; undefined when the identifier is none or stays. */
export function rewriteTypeSelector(tokens: Tokens, at: number): string | undefined {
  const before = at > 0 ? tokens.types[at - 1] : TOKEN.space;
  if (before === TOKEN.colon || (before === TOKEN.delim && rawOf(tokens, at - 1) === '.')) return undefined;
  const name = nameOf(tokens, at);
  return RENAMED_HTML.has(name) ? RENAMED_PREFIX + name : undefined;
}

/**
 * What the attribute selector whose bracket is at `at` becomes, with the index of its closing bracket: the types that are shown as
 * text inputs keep their own in another attribute (M-061), and `[type=text]` must not match those. The specificity stays.
 */
export function rewriteAttributeSelector(tokens: Tokens, at: number): { text: string; end: number } | undefined {
  const { types } = tokens;
  const name = skipSpace(tokens, at + 1);
  if (types[name] !== TOKEN.ident || nameOf(tokens, name) !== 'type') return undefined;
  const equals = skipSpace(tokens, name + 1);
  if (types[equals] !== TOKEN.delim || rawOf(tokens, equals) !== '=') return undefined;
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
