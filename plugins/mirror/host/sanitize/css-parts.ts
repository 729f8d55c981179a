import { OWN_SHEET_UNITS } from '../../ops.ts';
import type { AddressContext } from './addresses.ts';
import { addNames, fontNames } from './css-fonts.ts';
import type { FontNames } from './css-fonts.ts';
import type { Import } from './css-imports.ts';

/**
 * Result of rewriting one text: parts of sanitized text with the imports between them, which only occur at the start of a sheet. A long
 * text has more than one part, each of whole rules.
 */
export interface Rewritten {
  /** `@namespace` rules after an import: they are moved before the text that replaces the import. */
  readonly namespaces: string;
  /** All `@namespace` rules: parts that become separate sheets need them. */
  readonly declared: string;
  readonly parts: readonly (string | Import)[];
  /** Families that it names. */
  readonly fonts: FontNames;
  /** Attributes whose original values it compares or shows. */
  readonly asked: ReadonlySet<string>;
}

/** Result for a text that is rejected as a whole. */
export const NOTHING: Rewritten = { namespaces: '', declared: '', parts: [], fonts: fontNames(), asked: new Set() };

/** Adds the names of a text to those of the document that it is inserted into. */
export function noteNames(
  { fonts, asked }: Pick<AddressContext, 'fonts' | 'asked'>,
  text: Pick<Rewritten, 'fonts' | 'asked'>,
): void {
  if (fonts) addNames(fonts, text.fonts);
  for (const name of text.asked) asked?.add(name);
}

/** Joins a rewritten sheet into one text; `inlined` returns the sanitized text of an import's sheet. */
export function joined(sheet: Rewritten, inlined: (imported: Import) => string): string {
  let text = sheet.namespaces;
  for (const part of sheet.parts) text += typeof part === 'string' ? part : inlined(part);
  return text;
}

/** Joins it into texts that can follow one another as separate sheets: one, or several of a long sheet. */
export function divided(sheet: Rewritten, inlined: (imported: Import) => string): [string, ...string[]] {
  const texts: [string, ...string[]] = [sheet.namespaces];
  for (const part of sheet.parts) {
    const text = typeof part === 'string' ? part : inlined(part);
    const last = texts.at(-1) as string; // never empty
    if (text.length > OWN_SHEET_UNITS && last.length > OWN_SHEET_UNITS) texts.push(sheet.declared + text);
    else texts[texts.length - 1] = last + text;
  }
  return texts;
}
