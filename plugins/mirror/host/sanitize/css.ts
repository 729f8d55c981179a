import type { AddressContext } from './addresses.ts';
import type { Import } from './css-imports.ts';
import { joined, NOTHING } from './css-parts.ts';
import type { Rewritten } from './css-parts.ts';
import { CssRewriter } from './css-rewriter.ts';

export type { Import } from './css-imports.ts';
export { divided, joined, noteNames, NOTHING } from './css-parts.ts';
export type { Rewritten } from './css-parts.ts';
export { TURN_MS } from './css-tokens.ts';

/** Longest text that is sanitized, in UTF-16 units; a longer one is emptied. */
const MAX_CSS_UNITS = 16 * 1024 * 1024;

/** Matches texts that may name a font or anything else that is rewritten in a value; most values contain none of it. */
const FONTS = /font(?:-family)?\s*:|serif|monospace|system-ui/i;
const SUSPECT = /url|src|image|filter\(|expression|behavior|binding|scripting|\\|@|\/\*/i;

/** Sanitizes a style sheet. The caller fetches its imports: see {@link joined}. */
export function sanitizeSheet(text: string, context: AddressContext): Rewritten {
  if (text.length > MAX_CSS_UNITS) return NOTHING;
  return new CssRewriter(text, 'sheet', context).rewrite();
}

/** The same in slices of some milliseconds, except for what {@link CssRewriter.turns} names, so that a long sheet does not block others. */
export function* sanitizingSheet(text: string, context: AddressContext): Generator<undefined, Rewritten> {
  if (text.length > MAX_CSS_UNITS) return NOTHING;
  return yield* new CssRewriter(text, 'sheet', context).turns();
}

/** Sanitizes declarations, a single value, a selector list or a media query list. */
export function sanitizeFragment(text: string, context: AddressContext): string {
  if (!SUSPECT.test(text) && !(context.fonts && FONTS.test(text))) return text;
  if (text.length > MAX_CSS_UNITS) return '';
  return joined(new CssRewriter(text, 'fragment', context).rewrite(), () => '');
}

/** Sanitizes a list of font families. */
export function sanitizeFamilies(text: string, context: AddressContext): string {
  const property = 'font-family:';
  const safe = sanitizeFragment(property + text, context);
  return safe.slice(property.length);
}

/** Wraps the safe text of an imported sheet in the conditions of its import. */
export function wrapped(imported: Import, text: string, context: AddressContext): string {
  const { media, layer, supports } = imported;
  let inner = text;
  if (supports !== undefined) inner = `@supports (${prelude(supports, context)}){${inner}}`;
  if (media !== '') inner = `@media ${prelude(media, context)}{${inner}}`;
  if (layer !== undefined) inner = `@layer ${prelude(layer, context)}{${inner}}`;
  return `${inner}\n`;
}

/** Returns the condition of an import; one that could open or end a block is replaced by one that is never true. */
function prelude(text: string, context: AddressContext): string {
  const safe = joined(new CssRewriter(text, 'fragment', context).rewrite(), () => '');
  return /[{};]/.test(safe) ? 'v-blocked' : safe;
}
