import type { ServerResponse } from 'node:http';
import { brotliCompressSync, crc32, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { squareFont } from '../../e2e/support/font.ts';
import { payload } from '../../e2e/support/hostile-pages.ts';

/** Bytes in a compression bomb, before it is compressed. */
const BOMB_BYTES = 48 * 1024 * 1024;
/** Most bytes of a stream without an end, and its pace. */
const STREAM_BYTES = 64 * 1024 * 1024;
const STREAM_CHUNK = 256 * 1024;
const STREAM_MS = 20;

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
const CODE = payload('body');

/** One body, as the hostile site answers with it. */
interface Body {
  readonly sample: number;
  readonly type: number;
  readonly changes: readonly Change[];
  readonly encoding: 'none' | 'gzip' | 'br' | 'wrong' | 'bomb-gzip' | 'bomb-br';
  readonly length: 'right' | 'long' | 'short' | 'none' | 'endless';
  readonly status: number;
}

interface Change {
  readonly kind: 'flip' | 'cut' | 'grow' | 'size' | 'splice';
  readonly at: number;
  readonly value: number;
}

const TYPES = [
  ...[
    'image/png',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/jpeg',
    'image/svg+xml',
    'font/woff2',
    'font/ttf',
    'text/css',
  ],
  ...[
    'text/html',
    'application/javascript',
    'application/xhtml+xml',
    'text/plain',
    'application/octet-stream',
    'multipart/x-mixed-replace;boundary=x',
    '',
  ],
];

/** Ways for a page to use a body. */
export const USES = [
  'img',
  'background',
  'font',
  'style',
  'iframe',
  'object',
  'svg-image',
  'use',
  'poster',
  'input',
  'mask',
  'icon',
  'srcset',
] as const;

/** Files that are what they seem, of every kind that is served to people and of some that are not. */
function samples(canary: string): readonly Buffer[] {
  const svg = (inside: string, attributes = ''): Buffer =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" id="x" width="9" height="9"${attributes}>${inside}</svg>`,
    );
  const woff = (signature: string): Buffer =>
    Buffer.concat([Buffer.from(signature), Buffer.alloc(60, 1), squareFont('w')]);
  return [
    png(9, 9),
    png(60_000, 60_000),
    base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
    base64('UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA='),
    Buffer.concat([Buffer.from([0, 0, 0, 32]), Buffer.from('ftypavif\0\0\0\0avifmif1miafMA1B'), Buffer.alloc(200, 7)]),
    base64(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
    ),
    svg(
      `<script>${CODE}</script><image href="${canary}/i" onload="${CODE}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${canary}/f"/></foreignObject>`,
      ` onload="${CODE}"`,
    ),
    svg(
      `<style>@import "${canary}/css";*{fill:url(${canary}/g#g);background:url(${canary}/b)}</style><use href="${canary}/u#x"/><a xlink:href="javascript:${CODE}"><rect width="9" height="9"/></a>`,
    ),
    Buffer.concat([
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "${canary}/e"><!ENTITY y "<script xmlns='http://www.w3.org/2000/svg'>${CODE}</script>">]>`,
      ),
      svg('&x;&y;'),
    ]),
    squareFont('sample'),
    woff('wOF2'),
    woff('wOFF'),
    Buffer.from(
      `@import "${canary}/1";@import url(x.css) layer(a);p{background:url(${canary}/2);cursor:url(${canary}/3),auto}@font-face{font-family:x;src:url(${canary}/4)}*{font-family:x}`,
    ),
    Buffer.from(
      `<!doctype html><script>${CODE}</script><img src="${canary}/h" onerror="${CODE}"><meta http-equiv="refresh" content="0;url=${canary}/r">`,
    ),
    Buffer.from(`GIF89a/*<svg xmlns="http://www.w3.org/2000/svg" onload="${CODE}"/>*/=1;${CODE}`),
    Buffer.alloc(0),
  ];
}

const change = fc.record({
  kind: fc.constantFrom('flip' as const, 'cut' as const, 'grow' as const, 'size' as const, 'splice' as const),
  at: fc.nat({ max: 5000 }),
  value: fc.nat({ max: 0xffff_ffff }),
});

/** Bodies of files that were changed, under types and lengths that are not theirs, compressed too far, and without an end; with their uses. */
export const bodies: fc.Arbitrary<readonly { readonly body: Body; readonly use: (typeof USES)[number] }[]> = fc.array(
  fc.record({
    body: fc.record({
      sample: fc.nat({ max: 15 }),
      type: fc.nat({ max: TYPES.length - 1 }),
      changes: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: fc.array(change, { maxLength: 4 }) },
      ),
      encoding: fc.oneof(
        { weight: 9, arbitrary: fc.constant('none' as const) },
        { weight: 3, arbitrary: fc.constantFrom('gzip' as const, 'br' as const, 'wrong' as const) },
        { weight: 1, arbitrary: fc.constantFrom('bomb-gzip' as const, 'bomb-br' as const) },
      ),
      length: fc.oneof(
        { weight: 8, arbitrary: fc.constant('right' as const) },
        {
          weight: 3,
          arbitrary: fc.constantFrom('long' as const, 'short' as const, 'none' as const, 'endless' as const),
        },
      ),
      status: fc.oneof({ weight: 6, arbitrary: fc.constant(200) }, fc.constantFrom(206, 404, 500)),
    }),
    use: fc.constantFrom(...USES),
  }),
  { minLength: 6, maxLength: 14, size: 'max' },
);

/** Answers a request with a body. */
export function answerWith(body: Body, canary: string, response: ServerResponse): void {
  const plain = changed(samples(canary)[body.sample] ?? Buffer.alloc(0), body.changes);
  const [encoding, bytes] = encoded(plain, body.encoding);
  const headers: Record<string, string> = { 'access-control-allow-origin': '*', 'content-disposition': 'attachment' };
  const type = TYPES[body.type];
  if (type !== undefined && type !== '') headers['content-type'] = type;
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  if (body.length === 'right') headers['content-length'] = String(bytes.length);
  if (body.length === 'long') headers['content-length'] = String(bytes.length + 1000);
  if (body.length === 'short') headers['content-length'] = String(Math.floor(bytes.length / 2));
  response.on('error', () => undefined);
  response.strictContentLength = false;
  response.writeHead(body.status, headers);
  if (body.length === 'endless') stream(response, bytes);
  else if (body.length === 'long') {
    response.write(bytes);
    response.socket?.end();
  } else response.end(bytes);
}

function stream(response: ServerResponse, first: Buffer): void {
  response.write(first);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent >= STREAM_BYTES || response.destroyed) clearInterval(timer);
    else if (!response.writableNeedDrain) {
      sent += STREAM_CHUNK;
      response.write(Buffer.alloc(STREAM_CHUNK, 0x20));
    }
  }, STREAM_MS);
  response.on('close', () => clearInterval(timer));
}

const bombs = new Map<string, Buffer>();

function encoded(plain: Buffer, encoding: Body['encoding']): [string | undefined, Buffer] {
  const bomb = (name: string, compress: (bytes: Buffer) => Buffer): Buffer => {
    const made = bombs.get(name) ?? compress(Buffer.alloc(BOMB_BYTES));
    bombs.set(name, made);
    return made;
  };
  if (encoding === 'gzip') return ['gzip', gzipSync(plain)];
  if (encoding === 'br') return ['br', brotliCompressSync(plain)];
  if (encoding === 'wrong') return ['gzip', plain];
  // The file comes first, so that it is of its type.
  if (encoding === 'bomb-gzip')
    return ['gzip', Buffer.concat([gzipSync(plain), bomb('gzip', (bytes) => gzipSync(bytes))])];
  if (encoding === 'bomb-br') return ['br', bomb('br', (bytes) => brotliCompressSync(bytes))];
  return [undefined, plain];
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  let now = Buffer.from(bytes);
  for (const { kind, at, value } of changes) {
    const place = now.length === 0 ? 0 : at % now.length;
    if (kind === 'flip' && now.length > 0) now[place] = (now[place] ?? 0) ^ (1 << (value % 8));
    else if (kind === 'cut') now = now.subarray(0, place);
    else if (kind === 'grow') now = Buffer.concat([now, Buffer.alloc(value % 100_000, value % 256)]);
    else if (kind === 'size' && now.length >= (place % 40) + 4) now.writeUInt32BE(value, place % 40);
    else if (kind === 'splice') now = Buffer.concat([now.subarray(0, place), now.subarray(at % (now.length + 1))]);
  }
  return now;
}

/** A small file of a large, empty picture. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(data.length, 0);
    numbers.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8); // one bit a pixel, grey
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * Math.min(height, 9)));
  return Buffer.concat([
    base64('iVBORw0KGgo='),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
