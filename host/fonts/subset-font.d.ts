declare module 'subset-font' {
  /** The font with nothing but the characters of a text, as WOFF2. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { readonly targetFormat: 'woff2' },
  ): Promise<Buffer>;
}
