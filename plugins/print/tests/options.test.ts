import { describe, expect, it } from 'vitest';
import { validate } from '../../../core/protocol/message.ts';
import { pdfParams } from '../host/pdf-params.ts';
import { defaultOptions, LAYOUTS, optionsQuery } from '../options.ts';

describe('the options of printing', () => {
  it.each([
    ['en-US', 'letter'],
    ['en-CA', 'letter'],
    ['en-PH', 'letter'],
    ['en-GB', 'a4'],
    ['en', 'a4'],
    ['de-DE', 'a4'],
  ])(
    '[R-034] are by default, for %s, upright on %s at 100 per cent, with headers and without backgrounds',
    (language, paper_size) => {
      expect(defaultOptions(language)).toEqual({
        layout: 'portrait',
        paper_size,
        scale: 100,
        header_footer: true,
        background: false,
      });
    },
  );

  it('[R-034] [R-081] are sent as text, and missing ones have their default', () => {
    expect(validate(optionsQuery, {}, 'print')).toEqual(defaultOptions('de'));
    const query = { layout: 'landscape', paper_size: 'a5', scale: '50', header_footer: 'false', background: 'true' };
    const options = validate(optionsQuery, query, 'print');
    expect(pdfParams(options)).toMatchObject({
      landscape: true,
      paperWidth: 5.83,
      paperHeight: 8.27,
      scale: 0.5,
      displayHeaderFooter: false,
      printBackground: true,
    });
  });

  it('[R-081] each make the document what they say, whatever the others are', () => {
    const options = defaultOptions('de');
    for (const layout of LAYOUTS)
      for (const header_footer of [false, true])
        for (const background of [false, true])
          expect(pdfParams({ ...options, layout, header_footer, background })).toMatchObject({
            landscape: layout === 'landscape',
            displayHeaderFooter: header_footer,
            printBackground: background,
            scale: 1,
          });
  });

  it('[R-081] give the paper that the page sets, and a document with structure', () => {
    expect(pdfParams(defaultOptions('de'))).toMatchObject({ preferCSSPageSize: true, generateTaggedPDF: true });
  });

  it('a watermark covers the sheet also without headers, which it does not bring back', () => {
    const options = { ...defaultOptions('de'), header_footer: false };
    const { displayHeaderFooter, headerTemplate = '', footerTemplate } = pdfParams(options, 'mark');
    expect([displayHeaderFooter, footerTemplate]).toEqual([true, '<span></span>']);
    expect(headerTemplate.match(/max-width:25%">mark</g)).toHaveLength(32);
    expect(headerTemplate).not.toContain('class="title"');
    const both = pdfParams({ ...options, header_footer: true }, 'mark');
    expect(both.headerTemplate).toContain('class="title"');
    expect(both.footerTemplate).toContain('class="pageNumber"');
    expect(Object.keys(pdfParams({ ...options, header_footer: true }))).not.toContain('headerTemplate');
  });

  it.each([
    { layout: 'across' },
    { paper_size: '__proto__' },
    { scale: '9' },
    { scale: '201' },
    { scale: '1e2' },
    { background: '1' },
    { layout: ['portrait', 'landscape'] },
    { headerTemplate: '<script>' },
  ])('are refused where there are no such: %j', (query) => {
    expect(() => validate(optionsQuery, query, 'print')).toThrow(expect.objectContaining({ code: 'bad-message' }));
  });
});
