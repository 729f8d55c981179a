import type { FileBytes } from './format/file-bytes.ts';

/** The magic number of an OLE compound file (MS-CFB 2.2). */
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Sectors of the directory that are read: office programs put their streams first. */
const MAX_DIRECTORY_SECTORS = 64;
/** Sectors of the allocation table that the header names. */
const HEADER_FAT_SECTORS = 109;

interface OleEntry {
  readonly name: string;
  /** First sector. */
  readonly start: number;
}

/** Directory of an OLE compound file, as far as it is read. */
export interface OleDirectory {
  /** Class of the root storage, in hex as it is stored. */
  readonly classId: string;
  readonly entries: readonly OleEntry[];
  readonly sectorBytes: number;
}

/** Whether the bytes begin like an OLE compound file. */
export function isOle(head: Uint8Array): boolean {
  return head.length >= HEADER_BYTES && MAGIC.equals(head.subarray(0, MAGIC.length));
}

function entriesOf(sector: Buffer): { entries: OleEntry[]; classId: string | undefined } {
  const entries: OleEntry[] = [];
  let classId: string | undefined;
  for (let at = 0; at + ENTRY_BYTES <= sector.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(Math.max(sector.readUInt16LE(at + 64) - 2, 0), 62);
    const kind = sector[at + 66];
    if (kind === 5) classId = sector.toString('hex', at + 80, at + 96);
    if (kind !== 1 && kind !== 2) continue;
    entries.push({ name: sector.toString('utf16le', at, at + nameBytes), start: sector.readUInt32LE(at + 116) });
  }
  return { entries, classId };
}

/** Reads the directory of an OLE compound file; undefined where it is damaged. Reads at most 128 sectors. */
export async function readOle(file: FileBytes): Promise<OleDirectory | undefined> {
  const header = Buffer.from(await file.read(0, HEADER_BYTES));
  if (!isOle(header)) return undefined;
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return undefined;
  const sectorBytes = 2 ** shift;
  const sectorAt = async (sector: number): Promise<Buffer> =>
    Buffer.from(await file.read((sector + 1) * sectorBytes, sectorBytes));
  const nextOf = async (sector: number): Promise<number | undefined> => {
    const table = Math.floor(sector / (sectorBytes / 4));
    if (table >= HEADER_FAT_SECTORS) return undefined;
    const entries = await sectorAt(header.readUInt32LE(76 + 4 * table));
    const at = 4 * (sector % (sectorBytes / 4));
    return at + 4 <= entries.length ? entries.readUInt32LE(at) : undefined;
  };
  const entries: OleEntry[] = [];
  let classId = '';
  let sector: number | undefined = header.readUInt32LE(48);
  for (let count = 0; count < MAX_DIRECTORY_SECTORS && sector !== undefined && sector < 0xff_ff_ff_fa; count += 1) {
    const read = entriesOf(await sectorAt(sector));
    entries.push(...read.entries);
    classId ||= read.classId ?? '';
    sector = await nextOf(sector);
  }
  return { classId, entries, sectorBytes };
}
