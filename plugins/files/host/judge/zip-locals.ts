import type { FileBytes } from './format/file-bytes.ts';
import type { ZipEntry } from './zip-directory.ts';

const LOCAL = 0x04_03_4b_50;
const LOCAL_BYTES = 30;
/** Bytes of the longest data descriptor: signature, checksum and two lengths of 8 bytes. */
const DESCRIPTOR_BYTES = 24;
const HAS_DESCRIPTOR = 0x08;
const ENCRYPTED = 0x01;

/** Where the packed bytes of an entry begin; undefined where there is no local header. */
export async function dataStart(file: FileBytes, entry: ZipEntry): Promise<number | undefined> {
  const header = Buffer.from(await file.read(entry.offset, LOCAL_BYTES));
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) return undefined;
  return entry.offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** A contradiction between an entry of the directory and its local header. */
function localFault(header: Buffer, entry: ZipEntry): string | undefined {
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) return 'an entry lies outside the archive';
  const nameBytes = header.readUInt16LE(26);
  if (!header.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes).equals(entry.rawName)) return 'an entry has two names';
  const flags = header.readUInt16LE(6);
  if (header.readUInt16LE(8) !== entry.method) return 'an entry has two compressions';
  if (((flags ^ entry.flags) & ENCRYPTED) !== 0) return 'an entry is encrypted by half';
  const [packed, size] = [header.readUInt32LE(18), header.readUInt32LE(22)];
  const fits = (value: number, known: number, open: boolean): boolean =>
    value === known || value === 0xff_ff_ff_ff || (open && value === 0);
  const open = (flags & HAS_DESCRIPTOR) !== 0;
  return fits(packed, entry.packed, open) && fits(size, entry.size, open) ? undefined : 'an entry has two lengths';
}

/**
 * Holds the entries of a directory against their local headers: names, compressions and lengths agree, no two entries share bytes (David Fifield's
 * bombs do), none lies outside, and none that the directory conceals stands between them. One read an entry.
 *
 * @param end where the directory begins
 * @returns the first contradiction
 */
export async function checkLocals(
  file: FileBytes,
  entries: readonly ZipEntry[],
  end: number,
): Promise<string | undefined> {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  let free = 0;
  for (const [index, entry] of sorted.entries()) {
    if (entry.offset < free) return 'entries overlap';
    const header = Buffer.from(await file.read(entry.offset, LOCAL_BYTES + entry.rawName.length));
    const fault = localFault(header, entry);
    if (fault !== undefined) return fault;
    free = entry.offset + LOCAL_BYTES + entry.rawName.length + header.readUInt16LE(28) + entry.packed;
    const next = sorted[index + 1]?.offset ?? end;
    if (!(free <= next)) return next === end ? 'an entry lies outside the archive' : 'entries overlap';
    if (next - free >= LOCAL_BYTES) {
      const gap = Buffer.from(await file.read(free, DESCRIPTOR_BYTES + 4));
      if (gap.includes('PK\u0003\u0004')) return 'an entry is missing in the directory';
    }
  }
  return undefined;
}
