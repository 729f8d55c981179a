import * as v from 'valibot';

/** Paper by name: width and height of a sheet held upright, in inches. */
export const PAPER = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  a3: [11.69, 16.54],
  a4: [8.27, 11.69],
  a5: [5.83, 8.27],
} as const;
export const PAPER_SIZES = Object.keys(PAPER) as (keyof typeof PAPER)[]; // its own keys

export const LAYOUTS = ['portrait', 'landscape'] as const;
/** Bounds of the scale, in per cent: Chromium's. */
export const [MIN_SCALE, MAX_SCALE] = [10, 200];

/** How a page is printed. */
export interface PrintOptions {
  readonly layout: (typeof LAYOUTS)[number];
  readonly paper_size: keyof typeof PAPER;
  /** Per cent. */
  readonly scale: number;
  readonly header_footer: boolean;
  readonly background: boolean;
}

/** Where paper is measured in inches. */
const LETTER_LOCALES = ['en-us', 'en-ca', 'en-ph'];

/** What is printed with unless the person says otherwise. */
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

/** The options of a request's query; what is left out is as by default. */
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
