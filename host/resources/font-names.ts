import { promisify } from 'node:util';
import { brotliDecompress, inflate } from 'node:zlib';
import { fontType } from './sniff.ts';

/** Maximum unpacked size of a font, in bytes. */
const MAX_UNPACKED = 32 * 1024 * 1024;
/** Value of a WOFF2 table tag that is written out; smaller values are indexes of known tags. */
const NAME_TAG = 5;
const GLYPH_TAGS = [10, 11];
const OWN_TAG = 63;
/** Ids of family names in the name table: the family, and the typographic family. */
const FAMILY_IDS = [1, 16];
const MACINTOSH = 1;

const unpackBrotli = promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress);
const unpackZlib = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/**
 * Returns the family names of a font file in all languages; undefined for a file that is no font, none when its names
 * cannot be read.
 */
export async function fontFamilies(bytes: Uint8Array): Promise<ReadonlySet<string> | undefined> {
  const type = fontType(bytes);
  if (type === undefined) return undefined;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (type === 'font/woff2') return familiesIn(await woff2Names(file));
    if (type === 'font/woff') return familiesIn(await woffNames(file));
    return familiesIn(sfntNames(file, type === 'font/collection'));
  } catch {
    return new Set(); // truncated, or crafted
  }
}

function sfntNames(file: Buffer, isCollection: boolean): Buffer | undefined {
  const start = isCollection ? file.readUInt32BE(12) : 0;
  const count = file.readUInt16BE(start + 4);
  for (let at = start + 12; at < start + 12 + 16 * count; at += 16)
    if (tagAt(file, at) === 'name') return slice(file, file.readUInt32BE(at + 8), file.readUInt32BE(at + 12));
  return undefined;
}

async function woffNames(file: Buffer): Promise<Buffer | undefined> {
  const count = file.readUInt16BE(12);
  for (let at = 44; at < 44 + 20 * count; at += 20) {
    if (tagAt(file, at) !== 'name') continue;
    const [offset, length, original] = [4, 8, 12].map((field) => file.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const table = slice(file, offset, length);
    return length < original ? unpackZlib(table, { maxOutputLength: MAX_UNPACKED }) : table;
  }
  return undefined;
}

async function woff2Names(file: Buffer): Promise<Buffer | undefined> {
  const [count, packed] = [file.readUInt16BE(12), file.readUInt32BE(20)];
  let at = 48;
  const length = (): number => {
    for (let value = 0, n = 0; ; n++) {
      const byte = file.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128 || n === 4) return value;
    }
  };
  let offset = 0;
  let names: [offset: number, length: number] | undefined;
  for (let n = 0; n < count; n++) {
    const flags = file.readUInt8(at++);
    const [tag, version] = [flags & 63, flags >> 6];
    const isName = tag === NAME_TAG || (tag === OWN_TAG && tagAt(file, at) === 'name');
    if (tag === OWN_TAG) at += 4;
    const original = length();
    const isChanged = GLYPH_TAGS.includes(tag) ? version !== 3 : version !== 0;
    const stored = isChanged ? length() : original;
    if (isName) names = [offset, stored];
    offset += stored;
  }
  const tables = await unpackBrotli(slice(file, at, packed), { maxOutputLength: MAX_UNPACKED });
  return names && slice(tables, ...names);
}

function familiesIn(table: Buffer | undefined): Set<string> {
  const families = new Set<string>();
  if (!table) return families;
  const [count, texts] = [table.readUInt16BE(2), table.readUInt16BE(4)];
  for (let at = 6; at < 6 + 12 * count; at += 12) {
    if (!FAMILY_IDS.includes(table.readUInt16BE(at + 6))) continue;
    const text = slice(table, texts + table.readUInt16BE(at + 10), table.readUInt16BE(at + 8));
    const isLatin = table.readUInt16BE(at) === MACINTOSH;
    families.add(isLatin ? text.toString('latin1') : Buffer.from(text).swap16().toString('utf16le'));
  }
  return families;
}

function tagAt(file: Buffer, at: number): string {
  return file.toString('latin1', at, at + 4);
}

/** @throws RangeError when the file ends earlier. */
function slice(file: Buffer, offset: number, length: number): Buffer {
  if (offset + length > file.length) throw new RangeError('unexpected end of file');
  return file.subarray(offset, offset + length);
}
