import { describe, expect, it } from 'vitest';
import { fontType, imageType } from '../sniff.ts';

const bytes = (...parts: (number | string)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part, 'latin1')])));

describe('sniffing', () => {
  it.each([
    ['image/png', bytes(0x89, 'PNG\r\n', 0x1a, '\n...')],
    ['image/jpeg', bytes(0xff, 0xd8, 0xff, 0xe0)],
    ['image/gif', bytes('GIF89a')],
    ['image/webp', bytes('RIFF????WEBPVP8 ')],
    ['image/avif', bytes(0, 0, 0, 32, 'ftypavif')],
    ['image/avif', bytes(0, 0, 0, 32, 'ftypmif1', 0, 0, 0, 0, 'mif1avif')],
    ['image/x-icon', bytes(0, 0, 1, 0, 1, 0)],
    ['image/svg+xml', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    [
      'image/svg+xml',
      bytes(0xef, 0xbb, 0xbf, ' <?xml version="1.0"?>\n<!-- <a> --><!DOCTYPE svg [<!ENTITY a ">">]><s:svg>'),
    ],
    ['image/svg+xml', new Uint8Array(Buffer.from('\ufeff<svg>', 'utf16le'))],
    [undefined, bytes('<html><svg></svg></html>')],
    [undefined, bytes('<!doctype html><script>x</script>')],
    [undefined, bytes('<svgx>')],
    [undefined, bytes('<!-- never closed <svg>')],
    [undefined, bytes('RIFF????WAVE')],
    [undefined, bytes('%PDF-1.7')],
    [undefined, bytes('wOF2')],
    [undefined, bytes()],
  ])('detects %s', (type, body) => {
    expect(imageType(body)).toBe(type);
  });

  it.each([
    ['font/woff2', bytes('wOF2....')],
    ['font/woff', bytes('wOFF....')],
    ['font/ttf', bytes(0, 1, 0, 0, 0)],
    ['font/otf', bytes('OTTO')],
    ['font/collection', bytes('ttcf')],
    [undefined, bytes('<svg><font/></svg>')],
    [undefined, bytes('GIF89a')],
  ])('detects the font %s', (type, body) => {
    expect(fontType(body)).toBe(type);
  });
});
