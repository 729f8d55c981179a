import { crc32, deflateSync } from 'node:zlib';
import type { Canary } from './canary.ts';
import type { Answer, Site } from './site.ts';

/** Serves files under `/attack/` with wrong types, truncated files, and files that are larger than they look. */
export function serveHostileFiles(site: Site, canary: Canary): void {
  const put = (name: string, type: string, body: Buffer | string): void =>
    site.on(`/attack/${name}`, (_request, response) => response.writeHead(200, { 'content-type': type }).end(body));
  const bomb = png(30_000, 30_000);
  put('bomb.png', 'image/png', bomb);
  put('truncated.png', 'image/png', bomb.subarray(0, 60));
  put('empty.png', 'image/png', '');
  put('document.png', 'image/png', '<!doctype html><script>alert(1)</script>');
  put('script.gif', 'image/gif', 'GIF89a/*<script>alert(1)</script>*/=1;alert(2)');
  put('bomb.gif', 'image/gif', Buffer.concat([Buffer.from('GIF89a'), Buffer.from([255, 255, 255, 255, 0x91, 0, 0])]));
  // A header that promises 4 GB of tables.
  const woff = Buffer.alloc(44 + 20);
  woff.write('wOFF', 'latin1');
  woff.writeUInt32BE(0x00010000, 4);
  woff.writeUInt32BE(woff.length, 8);
  woff.writeUInt16BE(1, 12);
  woff.writeUInt32BE(0xfffffff0, 16);
  woff.write('glyf', 44, 'latin1');
  woff.writeUInt32BE(0xfffffff0, 56);
  put('bomb.woff', 'font/woff', woff);
  put('truncated.woff2', 'font/woff2', Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(30, 0xff)]));
  const entities = 'bcdefgh'.replace(/./g, (name) => {
    const inner = `&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10);
    return `<!ENTITY ${name} "${inner}">`;
  });
  const svg = (subset: string, inside: string): string =>
    `<?xml version="1.0"?><!DOCTYPE svg [${subset}]><svg xmlns="http://www.w3.org/2000/svg" id="x" width="9" height="9">${inside}</svg>`;
  put('entities.svg', 'image/svg+xml', svg(`<!ENTITY a "aaaaaaaaaa">${entities}`, '<text>&h;</text>'));
  const outside = `<!ENTITY x SYSTEM "${canary.origin}/entity"><!ENTITY % y SYSTEM "${canary.origin}/dtd">%y;`;
  put('external.svg', 'image/svg+xml', svg(outside, '<text>&x;</text>'));
  const scripts = `<script>alert(1)</script><image href="${canary.origin}/svg" onload="alert(2)"/><style>@import "${canary.origin}/css";</style>`;
  put('scripts.svg', 'image/svg+xml', svg('', scripts));
  site.on('/attack/endless.png', endless);
}

/** A picture that never ends until the caller ends it. */
const endless: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).write(png(9, 9).subarray(0, 40));
};

/** A small file of a large, empty picture. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8); // one bit a pixel, grey
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
