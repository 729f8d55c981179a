import { AppError } from '../../../../host/plugin.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { checkLocals } from './zip-locals.ts';

/** Bytes from the end in which the end record of a zip file may begin: the record and its longest comment. */
export const END_BYTES = 22;
export const END_SEARCH = END_BYTES + 65_535;
const END = 0x06_05_4b_50;
export const END64_LOCATOR = 0x07_06_4b_50;
const END64 = 0x06_06_4b_50;
export const ENTRY = 0x02_01_4b_50;
const ENTRY_BYTES = 46;
/** Largest directory that is read, in bytes: it is kept in memory. */
const MAX_DIRECTORY_BYTES = 16_777_216;

/** One member of a zip file, as its directory describes it. */
export interface ZipEntry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly flags: number;
  /** Compression; 99 is AES around `aes.method`. */
  readonly method: number;
  readonly crc: number;
  readonly time: number;
  readonly packed: number;
  readonly size: number;
  /** Place of its local header in the file. */
  readonly offset: number;
  /** Name as stored. */
  readonly rawName: Buffer;
  readonly aes?: { readonly strength: number; readonly method: number; readonly version: number };
}

/** Directory of a zip file. `lies` names the first contradiction that only a file made to deceive has. */
interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  readonly lies?: string;
}

const damaged = (text: string): AppError => new AppError('archive-damaged', text);

interface End {
  count: number;
  bytes: number;
  offset: number;
  at: number;
  ambiguous: boolean;
}

async function zip64(file: FileBytes, end: End): Promise<End> {
  const locator = Buffer.from(await file.read(Math.max(0, end.at - 20), 20));
  if (end.at < 20 || locator.length < 20 || locator.readUInt32LE(0) !== END64_LOCATOR) return end;
  // A prefix moves the record: it stands right before its locator unless it has an extensible part.
  for (const at of [Number(locator.readBigUInt64LE(8)), end.at - 20 - 56]) {
    if (!Number.isSafeInteger(at) || at < 0 || at > file.size - 56) continue;
    const record = Buffer.from(await file.read(at, 56));
    if (record.length < 56 || record.readUInt32LE(0) !== END64) continue;
    const [count, bytes, offset] = [32, 40, 48].map((place) => Number(record.readBigUInt64LE(place))) as [
      number,
      number,
      number,
    ];
    return { ...end, count, bytes, offset, at };
  }
  throw damaged('the zip64 end record is missing');
}

async function findEnd(file: FileBytes): Promise<End> {
  const from = Math.max(0, file.size - END_SEARCH);
  const tail = Buffer.from(await file.read(from, END_SEARCH));
  const signature = Buffer.from('PK\u0005\u0006', 'latin1');
  let found: number | undefined;
  let ambiguous = false;
  for (let at = tail.lastIndexOf(signature); at >= 0; at = at > 0 ? tail.lastIndexOf(signature, at - 1) : -1) {
    if (at + END_BYTES > tail.length) continue;
    // Programs take the last record or the one whose comment ends the file: both have to be the same.
    const exact = at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
    if (found === undefined) found = at;
    else if (exact) ambiguous = true;
    if (ambiguous) break;
  }
  if (found === undefined || tail.readUInt32LE(found) !== END) throw damaged('the end record is missing');
  const end = {
    count: tail.readUInt16LE(found + 10),
    bytes: tail.readUInt32LE(found + 12),
    offset: tail.readUInt32LE(found + 16),
    at: from + found,
    ambiguous,
  };
  return zip64(file, end);
}

/** Values of the zip64 and AES extra fields. */
function extras(extra: Buffer, entry: { size: number; packed: number; offset: number }): ZipEntry['aes'] {
  let aes: ZipEntry['aes'];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const body = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    const id = extra.readUInt16LE(at);
    if (id === 0x99_01 && body.length >= 7) {
      aes = { version: body.readUInt16LE(0), strength: body[4] ?? 0, method: body.readUInt16LE(5) };
    }
    if (id !== 1) continue;
    let place = 0;
    for (const field of ['size', 'packed', 'offset'] as const) {
      if (entry[field] !== 0xff_ff_ff_ff || place + 8 > body.length) continue;
      entry[field] = Number(body.readBigUInt64LE(place));
      place += 8;
    }
  }
  return aes;
}

/**
 * Reads the directory of a zip file and holds it against the local headers. Memory is bounded by `maxEntries` and 16 MiB.
 *
 * @param isPrefixChecked whether a local header before the archive counts as a contradiction
 * @throws AppError `archive-damaged`, or `archive-limit` where it has more entries
 */
export async function readZipDirectory(
  file: FileBytes,
  maxEntries: number,
  isPrefixChecked = true,
): Promise<ZipDirectory> {
  const end = await findEnd(file);
  if (end.count > maxEntries) throw new AppError('archive-limit', `more than ${maxEntries} entries`);
  if (end.bytes > MAX_DIRECTORY_BYTES) throw new AppError('archive-limit', 'the directory is too long');
  const start = end.at - end.bytes;
  const base = start - end.offset; // bytes before the archive, such as a program that unpacks it
  if (start < 0 || base < 0) throw damaged('the directory lies outside the file');
  const directory = Buffer.from(await file.read(start, end.bytes));
  // Programs find the directory by its length or by its offset.
  const other = base === 0 ? Buffer.alloc(0) : Buffer.from(await file.read(end.offset, 4));
  const isTwice = other.length === 4 && other.readUInt32LE(0) === ENTRY;
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY) {
    if (entries.length >= maxEntries) throw new AppError('archive-limit', `more than ${maxEntries} entries`);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const rawName = directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const extraAt = at + ENTRY_BYTES + nameBytes;
    const sizes = {
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    };
    const aes = extras(directory.subarray(extraAt, extraAt + extraBytes), sizes);
    const path = rawName.toString('utf8');
    entries.push({
      path,
      isFolder: path.endsWith('/') && sizes.size === 0,
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      time: directory.readUInt16LE(at + 12),
      crc: directory.readUInt32LE(at + 16),
      packed: sizes.packed,
      size: sizes.size,
      offset: sizes.offset + base,
      rawName,
      ...(aes && { aes }),
    });
    at = extraAt + extraBytes + commentBytes;
  }
  const lies =
    end.ambiguous || isTwice
      ? 'two ends of the directory'
      : entries.length !== end.count || at !== directory.length
        ? 'entries are not as many as the directory says'
        : await checkLocals(file, entries, { base, isPrefixChecked, end: start });
  return { entries, ...(lies !== undefined && { lies }) };
}
