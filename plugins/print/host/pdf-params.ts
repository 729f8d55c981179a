import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { PAPER } from '../options.ts';
import type { PrintOptions } from '../options.ts';

/** What Chromium is told of the person's options. A page that names its own paper gets that, as in a browser. */
export function pdfParams(options: PrintOptions): Protocol.Page.PrintToPDFRequest {
  const { layout, paper_size, scale, header_footer, background } = options;
  const [paperWidth, paperHeight] = PAPER[paper_size];
  return {
    landscape: layout === 'landscape',
    paperWidth,
    paperHeight,
    scale: scale / 100,
    displayHeaderFooter: header_footer,
    printBackground: background,
    preferCSSPageSize: true,
    generateTaggedPDF: true,
  };
}
