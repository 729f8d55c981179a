import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeSvg } from '../svg-file.ts';
import { testContext, TIMES } from './context.ts';

const context = testContext('https://site.test/sprites/icons.svg');
const HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const safe = (text: string): string | undefined => sanitizeSvg(text, context);
const inside = (text: string): string | undefined => {
  const whole = safe(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${text}</svg>`,
  );
  return whole?.replace(`${HEAD}>`, '').replace(/<\/svg>$/, '');
};

describe('SVG files', () => {
  it('keep their shapes, styles and texts', () => {
    expect(
      safe(
        '\ufeff<?xml version="1.0"?><!-- x --><!DOCTYPE svg [<!ENTITY a "b>">]>\n' +
          '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox=\'0 0 9 9\'><s:path d="M0 0"/><s:text>a &amp; &#98;&a;<![CDATA[<c>]]></s:text></s:svg>',
      ),
    ).toBe(`${HEAD} viewBox="0 0 9 9"><path d="M0 0"></path><text>a &#38; b&#60;c&#62;</text></svg>`);
    expect(inside('<style>a{fill:url(#g)}<![CDATA[b{c:d}]]></style>')).toBe('<style>a{fill:url(#g)}b{c:d}</style>');
    expect(inside('<use xlink:href="icons.svg#b"/>')).toBe('<use xlink:href="#b"></use>');
  });

  it('lose what runs, loads or leads away', () => {
    expect(inside('<script>x</script>')).toBe('<v-script></v-script>');
    expect(inside('<g onclick="x" id="i"/>')).toBe('<g id="i"></g>');
    expect(inside('<a xlink:href="javascript:x"/>')).toBe('<a xlink:href="about:blank#blocked"></a>');
    expect(inside('<x:script xmlns:x="http://www.w3.org/1999/xhtml">x</x:script><b xmlns="">c</b>')).toBe('');
    expect(
      inside(
        '<foreignObject><i xmlns="http://www.w3.org/1999/xhtml"><svg:g xmlns:svg="http://www.w3.org/2000/svg"/></i></foreignObject>',
      ),
    ).toBe('<foreignObject></foreignObject>');
    expect(inside('<animate attributeName="&#104;ref" to="javascript:x"/>')).toBe('<animate></animate>');
    expect(inside('<image href="p.png"/>')).toBe(
      `<image href="${context.resource('i', 'https://site.test/sprites/p.png')}"></image>`,
    );
    expect(inside('<style>@import "//evil.test";a{b:url(//evil.test)}</style>')).not.toContain('evil');
    expect(inside('<g l:href="x" xmlns:l="http://www.w3.org/1999/xlink" foo:bar="y"/>')).toBe('<g></g>');
  });

  it.each([
    '',
    'text',
    '<html xmlns="http://www.w3.org/1999/xhtml"/>',
    '<svg/>',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<svg xmlns="http://www.w3.org/2000/svg"></g></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"/><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg xmlns="http://www.w3.org/2000/svg"><g a=b/></svg>',
    `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(2000)}`,
    '<!DOCTYPE svg [' + '[] '.repeat(50_000),
  ])('that are not well-formed are refused: %#', (text) => {
    expect(safe(text)).toBeUndefined();
  });

  it('change no more when they are sanitized again, and hold no tag that is not allowed', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<g>',
        '</g>',
        '<g/>',
        '<style>',
        '</style>',
        '<script>',
        '</script>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '&lt;',
        '&#60;',
      ),
      fc.constantFrom('<a href="javascript:x">', '</a>', '<g onload="x">', '@import "x";', 'url(//e)', '<', '"', '&'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = inside(pieces.join(''));
        if (once === undefined) return;
        expect(inside(once)).toBe(once);
        expect(once).not.toMatch(/<script|<[^>]*\son\w+=|<[^>]*javascript:/i);
      }),
      { numRuns: TIMES * 3000 },
    );
  });
});
