import type { AddressContext } from './addresses.ts';
import type { Import } from './css-imports.ts';
import { joined, NOTHING } from './css-parts.ts';
import type { Rewritten } from './css-parts.ts';
import { CssRewriter } from './css-rewriter.ts';

export type { Import } from './css-imports.ts';
export { divided, joined, noteNames, NOTHING } from './css-parts.ts';
export type { Rewritten } from './css-parts.ts';
export { TURN_MS } from './css-tokens.ts';

/** Largest text that is sanitized, in UTF-16 units; a longer one is emptied. */
const MAX_CSS_UNITS = 16 * 1024 * 1024;

/** What may name a font, and anything else that a rewrite could change in a value; most values have none of it. */
const FONTS = /font(?:-family)?\s*:|serif|monospace|system-ui/i;
const SUSPECT = /url|src|image|filter\(|expression|behavior|binding|scripting|\\|@/i;

/** Sanitizes a style sheet. Imports are left to whoever can fetch them: see {@link joined}. */
export function sanitizeSheet(text: string, context: AddressContext): Rewritten {
  if (text.length > MAX_CSS_UNITS) return NOTHING;
  return new CssRewriter(text, 'sheet', context).rewrite();
}

/** The same in turns, of some milliseconds but for what {@link CssRewriter.turns} names, so that others have theirs while a long sheet is sanitized. */
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

/** Sanitizes a list of font families by itself. */
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

/** The condition of an import; one that could open or end a block is one that never holds. */
function prelude(text: string, context: AddressContext): string {
  const safe = joined(new CssRewriter(text, 'fragment', context).rewrite(), () => '');
  return /[{};]/.test(safe) ? 'v-blocked' : safe;
}
