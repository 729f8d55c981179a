import * as v from 'valibot';

/** Paper sizes by name: width and height in portrait orientation, in inches. */
export const PAPER = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  a3: [11.69, 16.54],
  a4: [8.27, 11.69],
  a5: [5.83, 8.27],
} as const;
export const PAPER_SIZES = Object.keys(PAPER) as (keyof typeof PAPER)[]; // keys of the literal

export const LAYOUTS = ['portrait', 'landscape'] as const;
/** Chromium's limits of the scale, in per cent. */
export const [MIN_SCALE, MAX_SCALE] = [10, 200];

/** Print options. */
export interface PrintOptions {
  readonly layout: (typeof LAYOUTS)[number];
  readonly paper_size: keyof typeof PAPER;
  /** Per cent. */
  readonly scale: number;
  readonly header_footer: boolean;
  readonly background: boolean;
}

/** Locales that use inch-based paper sizes. */
const LETTER_LOCALES = ['en-us', 'en-ca', 'en-ph'];

/** Default options. */
export function defaultOptions(language: string): PrintOptions {
  return {
    layout: 'portrait',
    paper_size: LETTER_LOCALES.includes(language.toLowerCase()) ? 'letter' : 'a4',
    scale: 100,
    header_footer: true,
    background: false,
  };
}

const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((text) => text === 'true'),
);

/** Options in the query of a request. Missing ones have their default. */
export const optionsQuery = v.strictObject({
  layout: v.optional(v.picklist(LAYOUTS), 'portrait'),
  paper_size: v.optional(v.picklist(PAPER_SIZES), 'a4'),
  scale: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(MIN_SCALE), v.maxValue(MAX_SCALE)),
    '100',
  ),
  header_footer: v.optional(flag, 'true'),
  background: v.optional(flag, 'false'),
});
