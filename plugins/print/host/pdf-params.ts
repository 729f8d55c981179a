import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { PAPER } from '../options.ts';
import type { PrintOptions } from '../options.ts';

/** Content of both margins, in Chromium's template format. None of the text is ours except the watermark. */
const SIDES = 'font:8px sans-serif;width:100%;display:flex;justify-content:space-between;padding:0 24px';
const HEADER = `<div style="${SIDES}"><span class="date"></span><span class="title"></span><span></span></div>`;
const FOOTER = `<div style="${SIDES}"><span class="url"></span><span><span class="pageNumber"></span>/<span class="totalPages"></span></span></div>`;
const NOTHING = '<span></span>';
/** Rows and columns of the watermark on a sheet. */
const [ROWS, COLUMNS] = [8, 4];

/** Chromium's parameters for the person's options. A page that sets its own paper size gets that, as in a browser. */
export function pdfParams(options: PrintOptions, watermark = ''): Protocol.Page.PrintToPDFRequest {
  const { layout, paper_size, scale, header_footer, background } = options;
  const [paperWidth, paperHeight] = PAPER[paper_size];
  return {
    landscape: layout === 'landscape',
    paperWidth,
    paperHeight,
    scale: scale / 100,
    displayHeaderFooter: header_footer || watermark !== '',
    ...(watermark !== '' && {
      headerTemplate: (header_footer ? HEADER : '') + laidOver(watermark),
      footerTemplate: header_footer ? FOOTER : NOTHING,
    }),
    printBackground: background,
    preferCSSPageSize: true,
    generateTaggedPDF: true,
  };
}

/** Chromium lays the margin templates over the whole sheet. */
function laidOver(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const tile = `<span style="rotate:-30deg;max-width:${100 / COLUMNS}%">${escaped}</span>`;
  const row = `<div style="display:flex;justify-content:space-around;align-items:center">${tile.repeat(COLUMNS)}</div>`;
  return `<div style="position:fixed;inset:0;display:flex;flex-direction:column;justify-content:space-around;font:600 11px sans-serif;color:rgb(128 128 128/30%)">${row.repeat(ROWS)}</div>`;
}
