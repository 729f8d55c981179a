declare module 'subset-font' {
  /** Returns the font reduced to the characters of a text, as WOFF2. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { readonly targetFormat: 'woff2' },
  ): Promise<Buffer>;
}
