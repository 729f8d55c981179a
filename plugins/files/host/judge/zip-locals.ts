import type { FileBytes } from './format/file-bytes.ts';
import type { ZipEntry } from './zip-directory.ts';

const LOCAL = 0x04_03_4b_50;
const LOCAL_BYTES = 30;
const LOCAL_MARK = Buffer.from('PK\u0003\u0004', 'latin1');
/** Highest version of the specification that an entry may need (APPNOTE 4.4.3.2), times ten, and longest name in bytes: programs write neither higher nor longer. */
const MAX_VERSION = 63;
const MAX_NAME_BYTES = 4096;
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

/** Whether a local header could be that of an entry: other bytes, such as the code of a program that unpacks, hold its mark by chance. */
function isLocalHeader(header: Buffer): boolean {
  const method = header.readUInt16LE(8);
  const nameBytes = header.readUInt16LE(26);
  const isMethod = method < 20 || (method >= 93 && method <= 99);
  return (header[4] ?? 0) <= MAX_VERSION && isMethod && nameBytes > 0 && nameBytes <= MAX_NAME_BYTES;
}

/** Whether there is a local header between two places. Linear; one chunk in memory. */
async function hasLocal(file: FileBytes, from: number, to: number, isHeader: typeof isLocalHeader): Promise<boolean> {
  if (to - from < LOCAL_BYTES) return false;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of file.stream(from, to)) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(LOCAL_MARK); at >= 0; at = bytes.indexOf(LOCAL_MARK, at + 1)) {
      if (at + LOCAL_BYTES <= bytes.length && isHeader(bytes.subarray(at, at + LOCAL_BYTES))) return true;
    }
    rest = bytes.subarray(Math.max(0, bytes.length - LOCAL_BYTES + 1));
  }
  return false;
}

/**
 * Whether an entry that the directory conceals stands before its first one. Readers of streams begin at the first byte: where that is an entry, the
 * archive begins there, and each mark of an entry counts. Before it may also be a program that unpacks it, or other bytes: there a mark counts only with
 * the header of an entry behind it (version, compression and length of the name are possible ones).
 */
async function hasLocalBefore(
  file: FileBytes,
  base: number,
  first: number,
  isPrefixChecked: boolean,
): Promise<boolean> {
  const any = (): boolean => true;
  const isArchive = LOCAL_MARK.equals(await file.read(0, LOCAL_MARK.length));
  if (isPrefixChecked && (await hasLocal(file, 0, first, isArchive ? any : isLocalHeader))) return true;
  return hasLocal(file, base, first, any);
}

/**
 * Holds the entries of a directory against their local headers: names, compressions and lengths agree, no two entries share bytes (David Fifield's
 * bombs do), none lies outside, and none that the directory conceals stands before or between them. One read an entry, and of what no entry has.
 *
 * @param places where the archive begins (`base`) and whether what stands before it is looked at, and where its directory begins (`end`)
 * @returns the first contradiction
 */
export async function checkLocals(
  file: FileBytes,
  entries: readonly ZipEntry[],
  { base, isPrefixChecked, end }: { base: number; isPrefixChecked: boolean; end: number },
): Promise<string | undefined> {
  const missing = 'an entry is missing in the directory';
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  const first = sorted[0]?.offset ?? end;
  if (first <= end && (await hasLocalBefore(file, base, first, isPrefixChecked))) return missing;
  let free = base;
  for (const [index, entry] of sorted.entries()) {
    if (entry.offset < free) return 'entries overlap';
    const header = Buffer.from(await file.read(entry.offset, LOCAL_BYTES + entry.rawName.length));
    const fault = localFault(header, entry);
    if (fault !== undefined) return fault;
    free = entry.offset + LOCAL_BYTES + entry.rawName.length + header.readUInt16LE(28) + entry.packed;
    const next = sorted[index + 1]?.offset ?? end;
    if (!(free <= next)) return next === end ? 'an entry lies outside the archive' : 'entries overlap';
    if (await hasLocal(file, free, next, () => true)) return missing;
  }
  return undefined;
}
