import { brotliCompressSync, deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fontFamilies } from '../font-names.ts';

const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (...values: number[]): Buffer => u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]));

const wide = Buffer.from('Größe', 'utf16le').swap16();
/** Names: a family, a style, the typographic family. */
const names = Buffer.concat([
  u16(0, 3, 42),
  u16(3, 1, 0x409, 1, wide.length, 0),
  u16(1, 0, 0, 2, 4, wide.length),
  u16(1, 0, 0, 16, 5, wide.length),
  wide,
  Buffer.from('Plain'),
  Buffer.alloc(99), // data that compresses well
]);
const sfnt = Buffer.concat([
  u32(0x00010000),
  u16(2, 0, 0, 0),
  ...[Buffer.from('head'), u32(0, 44, 0), Buffer.from('name'), u32(0, 44, names.length)],
  names,
]);
const collection = Buffer.concat([Buffer.from('ttcf'), u32(0x00010000, 1, 16), sfnt.subarray(0, 28)]);

function woff(): Buffer {
  const packed = deflateSync(names);
  const head = Buffer.alloc(44);
  head.write('wOFF');
  head.writeUInt16BE(1, 12);
  return Buffer.concat([head, Buffer.from('name'), u32(64, packed.length, names.length, 0), packed]);
}

/** With a transformed glyph table before the names: its entry has two lengths. */
function woff2(): Buffer {
  const packed = brotliCompressSync(Buffer.concat([Buffer.alloc(300), names]));
  const head = Buffer.alloc(48);
  head.write('wOF2');
  head.writeUInt16BE(2, 12);
  head.writeUInt32BE(packed.length, 20);
  return Buffer.concat([head, Buffer.from([10, 0x87, 0x68, 0x82, 0x2c, 5, 0x81, names.length - 128]), packed]);
}

it.each([
  ['TrueType', sfnt],
  ['WOFF', woff()],
  ['WOFF2', woff2()],
])('names the families of a %s file in all languages', async (_kind, file) => {
  expect([...(await fontFamilies(file))!]).toEqual(['Größe', 'Plain']);
});

it('finds no names in truncated files, and recognises files that are no fonts', async () => {
  for (const file of [sfnt, woff(), woff2(), collection])
    for (let end = 4; end < file.length - 1; end += 3)
      expect((await fontFamilies(file.subarray(0, end)))?.size).toBe(0);
  expect(await fontFamilies(Buffer.from('<!doctype html>'))).toBeUndefined();
});
