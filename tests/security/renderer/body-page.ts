import type { USES } from './bodies.ts';

/** Markup that uses an address in one way. */
export function useOf(use: (typeof USES)[number], address: string, at: number): string {
  switch (use) {
    case 'img':
      return `<img src="${address}">`;
    case 'background':
      return `<p style="background:url('${address}');height:9px">b</p>`;
    case 'font':
      return `<style>@font-face{font-family:f${at};src:url('${address}')}</style><p style="font-family:f${at}">A</p>`;
    case 'style':
      return `<link rel="stylesheet" href="${address}">`;
    case 'iframe':
      return `<iframe src="${address}"></iframe>`;
    case 'object':
      return `<object data="${address}"></object>`;
    case 'svg-image':
      return `<svg width="9" height="9"><image href="${address}" width="9" height="9"/></svg>`;
    case 'use':
      return `<svg width="9" height="9"><use href="${address}#x"/></svg>`;
    case 'poster':
      return `<video poster="${address}" width="9" height="9"></video>`;
    case 'input':
      return `<input type="image" src="${address}">`;
    case 'mask':
      return `<p style="mask-image:url('${address}');list-style:url('${address}');cursor:url('${address}'),auto">m</p>`;
    case 'icon':
      return `<link rel="icon" href="${address}">`;
    case 'srcset':
      return `<picture><source srcset="${address} 1x"><img src="/none.png" srcset="${address} 2x"></picture>`;
  }
}

const HEADS: readonly (readonly [type: string, head: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftyp/],
  ['image/bmp', /^BM/],
  ['image/x-icon', /^\0\0[\x01\x02]\0/],
  ['image/svg+xml', /<(?:\w+:)?svg[\s>/]/],
  ['font/woff2', /^wOF2/],
  ['font/woff', /^wOFF/],
  ['font/ttf', /^(?:\0\x01\0\0|true)/],
  ['font/otf', /^OTTO/],
  ['font/collection', /^ttcf/],
];

/** Wrong of a resource that people get: a type that is not served, bytes of another type, headers that would let it do something. */
export function wrongOfResource(headers: Readonly<Record<string, string>>, bytes: Buffer): string[] {
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  const wrong: string[] = [];
  const head = HEADS.find(([name]) => name === type)?.[1];
  if (!head) wrong.push(`the type ${type}`);
  else if (
    !head.test(
      bytes
        .subarray(0, 16 * 1024)
        .toString('latin1')
        .replaceAll(type === 'image/svg+xml' ? '\0' : '', ''),
    )
  )
    wrong.push(`${bytes.subarray(0, 16).toString('hex')} as ${type}`);
  if (headers['x-content-type-options'] !== 'nosniff') wrong.push('a type that may be guessed');
  if (!/(?:^|;)\s*sandbox\s*(?:;|$)/.test(headers['content-security-policy'] ?? '')) wrong.push('no sandbox');
  return wrong;
}
