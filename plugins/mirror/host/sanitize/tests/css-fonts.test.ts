import { describe, expect, it } from 'vitest';
import { joined, sanitizeFamilies, sanitizeFragment, sanitizeSheet } from '../css.ts';
import { fontNames } from '../css-fonts.ts';
import { testContext } from './context.ts';

const context = (): ReturnType<typeof testContext> & { fonts: ReturnType<typeof fontNames> } => ({
  ...testContext(),
  fonts: fontNames(),
});
const declared = (text: string): string => sanitizeFragment(text, context());

describe('families', () => {
  it.each([
    ['font-family:Inter, sans-serif', 'font-family:Inter, "v-sans-serif",sans-serif'],
    ['font-family:sans-serif', 'font-family:"v-sans-serif",sans-serif'],
    ['font-family:Inter!important', 'font-family:Inter,"v-standard"!important'],
    ['font-family:"A b"', 'font-family:"A b","v-standard"'],
    ['font-family:A b', 'font-family:A b,"v-standard"'],
    ['font-family:cursive', 'font-family:"v-cursive","v-standard"'],
    ['font-family:-apple-system,serif', 'font-family:"v--apple-system","v-serif",serif'],
    ['font-family:initial', 'font-family:"v-standard"'],
    ['font-family:inherit', 'font-family:inherit'],
    ['font-family:monospace', 'font-family:monospace'],
    ['font-family:Menlo,monospace', 'font-family:Menlo,"v-monospace",monospace'],
    ['font-family:var(--f)', 'font-family:var(--f)'],
    ['font-family:var(--f), serif', 'font-family:var(--f), "v-serif",serif'],
    ['font:italic bold 12px/1.5 A b,serif', 'font:italic bold 12px/1.5 A b,"v-serif",serif'],
    ['font:17px monospace', 'font:17px "v-monospace",monospace'],
    ['font:1em monospace', 'font:1em monospace'],
    ['font:small A', 'font:small A,"v-standard"'],
    ['font:caption', 'font:caption'],
    ['--f:A,sans-serif', '--f:A,"v-sans-serif",sans-serif'],
    ['--f:monospace', '--f:monospace'],
    ['--theme:fantasy', '--theme:fantasy'],
    ['FONT-FAMILY:Sans-Serif', 'FONT-FAMILY:"v-sans-serif",sans-serif'],
  ])('of %s are those of the surrogate', (text, safe) => {
    expect(declared(text)).toBe(safe);
    expect(declared(safe)).toBe(safe);
  });

  it('stay as the page has them where the person’s own fonts are used', () => {
    const text = 'font-family:Inter, sans-serif';
    expect(sanitizeFragment(text, testContext())).toBe(text);
  });

  it('are recorded, and the faces of the page', () => {
    const sheet = sanitizeSheet(
      `@font-face{font-family:"Own";src:url(a.woff2)}@media print{a{font:12px Own,Arial}}b{--f:Some One,serif}
      @font-palette-values --x{font-family:None}@supports (font-family:system-ui){c{color:red}}`,
      context(),
    );
    expect([...sheet.fonts.named]).toEqual(['Own', 'Arial', 'Some One', 'v-serif']);
    expect([...sheet.fonts.faces]).toEqual(['own']);
    const text = joined(sheet, () => '');
    expect(text).toContain('@supports (font-family:system-ui)');
    expect(text).toContain('{font-family:"Own";');
  });

  it('of an attribute are rewritten alone', () => {
    expect(sanitizeFamilies('Arial, sans-serif', context())).toBe('Arial, "v-sans-serif",sans-serif');
    expect(sanitizeFamilies('Arial', testContext())).toBe('Arial');
  });
});
