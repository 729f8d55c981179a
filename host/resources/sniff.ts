/** Detects types from the bytes alone: types that a server or a page declares are ignored. */

/** Type of SVG pictures, which are text. */
export const SVG = 'image/svg+xml';

const LATIN = new TextDecoder('latin1');
/** Maximum offset of the root element in a text, in bytes. */
const SVG_PROLOG_BYTES = 16 * 1024;

/** Returns the type of a picture that browsers show and that may be served, or undefined. */
export function imageType(bytes: Uint8Array): string | undefined {
  if (starts(bytes, 0x89, 'PNG\r\n', 0x1a, '\n')) return 'image/png';
  if (starts(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return 'image/gif';
  if (starts(bytes, 'RIFF') && text(bytes, 8, 12) === 'WEBP') return 'image/webp';
  if (text(bytes, 4, 8) === 'ftyp' && /avif|avis/.test(text(bytes, 8, 32))) return 'image/avif';
  if (starts(bytes, 'BM') && bytes.length > 26) return 'image/bmp';
  if (starts(bytes, 0, 0, 1, 0) || starts(bytes, 0, 0, 2, 0)) return 'image/x-icon';
  return isSvg(bytes) ? SVG : undefined;
}

/** Returns the type of a font that browsers check and load, or undefined. */
export function fontType(bytes: Uint8Array): string | undefined {
  if (starts(bytes, 'wOF2')) return 'font/woff2';
  if (starts(bytes, 'wOFF')) return 'font/woff';
  if (starts(bytes, 0, 1, 0, 0) || starts(bytes, 'true')) return 'font/ttf';
  if (starts(bytes, 'OTTO')) return 'font/otf';
  return starts(bytes, 'ttcf') ? 'font/collection' : undefined;
}

function starts(bytes: Uint8Array, ...expected: (number | string)[]): boolean {
  let at = 0;
  for (const part of expected) {
    for (const code of typeof part === 'number' ? [part] : Buffer.from(part, 'latin1')) {
      if (bytes[at++] !== code) return false;
    }
  }
  return true;
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return LATIN.decode(bytes.subarray(from, to));
}

/** Whether the first element of a text is an SVG root, after declarations, comments and a doctype. */
function isSvg(bytes: Uint8Array): boolean {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  let rest = text(bytes, 0, SVG_PROLOG_BYTES).replace(/^\u00ef\u00bb\u00bf/, '');
  if (utf16) rest = rest.slice(2).replaceAll('\0', '');
  for (;;) {
    rest = rest.trimStart();
    const end = rest.startsWith('<!--')
      ? rest.indexOf('-->') + 3
      : rest.startsWith('<?')
        ? rest.indexOf('?>') + 2
        : /^<!doctype/i.test(rest)
          ? doctypeEnd(rest)
          : -1;
    if (end < 0) break;
    if (end < 4) return false; // not closed within the inspected part
    rest = rest.slice(end);
  }
  return /^<(?:\w+:)?svg[\s>/]/.test(rest);
}

/** Index after a doctype, its internal subset included. */
function doctypeEnd(text: string): number {
  const subset = text.indexOf('[');
  const close = text.indexOf('>');
  if (subset < 0 || close < subset) return close + 1;
  return text.indexOf('>', text.indexOf(']', subset)) + 1;
}
