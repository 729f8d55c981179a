import { OWN_SHEET_UNITS } from '../../ops.ts';
import type { AddressContext } from './addresses.ts';
import { addNames, fontNames } from './css-fonts.ts';
import type { FontNames } from './css-fonts.ts';
import type { Import } from './css-imports.ts';

/**
 * What one text became: parts of safe text with the imports between them, which only stand at the start of a sheet. A long text is
 * more than one part, each of whole rules.
 */
export interface Rewritten {
  /** `@namespace` rules that stood after an import: they go before the text that takes its place. */
  readonly namespaces: string;
  /** All `@namespace` rules: what parts need that become sheets of their own. */
  readonly declared: string;
  readonly parts: readonly (string | Import)[];
  /** Families that it names. */
  readonly fonts: FontNames;
  /** Attributes whose original values it compares or shows. */
  readonly asked: ReadonlySet<string>;
}

/** What is left of a text that is not taken at all. */
export const NOTHING: Rewritten = { namespaces: '', declared: '', parts: [], fonts: fontNames(), asked: new Set() };

/** Tells the document of the names that a text has which is put into it. */
export function noteNames(
  { fonts, asked }: Pick<AddressContext, 'fonts' | 'asked'>,
  text: Pick<Rewritten, 'fonts' | 'asked'>,
): void {
  if (fonts) addNames(fonts, text.fonts);
  for (const name of text.asked) asked?.add(name);
}

/** One text of a rewritten sheet; `inlined` gives the safe text of an import's sheet. */
export function joined(sheet: Rewritten, inlined: (imported: Import) => string): string {
  let text = sheet.namespaces;
  for (const part of sheet.parts) text += typeof part === 'string' ? part : inlined(part);
  return text;
}

/** The same as texts that can follow one another as sheets of their own: one, or several of a long sheet. */
export function divided(sheet: Rewritten, inlined: (imported: Import) => string): [string, ...string[]] {
  const texts: [string, ...string[]] = [sheet.namespaces];
  for (const part of sheet.parts) {
    const text = typeof part === 'string' ? part : inlined(part);
    const last = texts.at(-1) as string; // there is one at least
    if (text.length > OWN_SHEET_UNITS && last.length > OWN_SHEET_UNITS) texts.push(sheet.declared + text);
    else texts[texts.length - 1] = last + text;
  }
  return texts;
}
