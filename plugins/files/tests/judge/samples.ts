import { crc32, deflateRawSync } from 'node:zlib';
import { BlobReader, BlobWriter, configure, ZipWriter } from '@zip.js/zip.js';

configure({ useWebWorkers: false });

/** One entry of a zip file that a test writes byte by byte; what is given beside name and content is a lie. */
interface SampleEntry {
  readonly name: string;
  readonly content: Buffer;
  readonly localName?: string;
  readonly size?: number;
  readonly crc?: number;
  readonly stored?: boolean;
  /** Place of the local header that the directory names. */
  readonly offset?: number;
  /** Not in the directory. */
  readonly hidden?: boolean;
}

function head(local: boolean, entry: SampleEntry, packed: Buffer, offset: number): Buffer {
  const name = Buffer.from(local ? (entry.localName ?? entry.name) : entry.name);
  const bytes = Buffer.alloc(local ? 30 : 46);
  bytes.writeUInt32LE(local ? 0x04034b50 : 0x02014b50, 0);
  const at = local ? 4 : 6;
  bytes.writeUInt16LE(20, at);
  bytes.writeUInt16LE(entry.stored ? 0 : 8, at + 4);
  bytes.writeUInt32LE(entry.crc ?? crc32(entry.content), at + 10);
  bytes.writeUInt32LE(packed.length, at + 14);
  bytes.writeUInt32LE(entry.size ?? entry.content.length, at + 18);
  bytes.writeUInt16LE(name.length, at + 22);
  if (!local) bytes.writeUInt32LE(entry.offset ?? offset, 42);
  return Buffer.concat([bytes, name]);
}

/** A zip file, as honest as its entries. */
export function zipOf(entries: readonly SampleEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = entry.stored ? entry.content : deflateRawSync(entry.content);
    const local = head(true, entry, packed, 0);
    if (!entry.hidden) directory.push(head(false, entry, packed, offset));
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(directory.length, 0xfffe), 8);
  end.writeUInt16LE(Math.min(directory.length, 0xfffe), 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** An archive in archives, so many deep. */
export function nestedZip(depth: number, content: Buffer): Buffer {
  let inner = content;
  for (let level = 0; level < depth; level += 1)
    inner = zipOf([{ name: level === 0 ? 'test.com' : 'a.zip', content: inner }]);
  return inner;
}

/** An encrypted zip file as another program writes it. */
export async function encryptedZip(
  members: Readonly<Record<string, Buffer>>,
  options: { password: string; zipCrypto?: boolean; encryptionStrength?: 1 | 2 | 3 },
): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false, ...options });
  for (const [name, content] of Object.entries(members)) {
    await writer.add(name, new BlobReader(new Blob([Uint8Array.from(content)])));
  }
  return Buffer.from(await (await writer.close()).arrayBuffer());
}

/** An OLE compound file with nothing but a directory of these streams. */
export function oleOf(names: readonly string[], rootClass = Buffer.alloc(16)): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48); // directory
  for (let at = 76; at < 512; at += 4) header.writeUInt32LE(0xffffffff, at);
  header.writeUInt32LE(0, 76); // allocation table
  const table = Buffer.alloc(512, 0xff);
  table.writeUInt32LE(0xfffffffd, 0);
  table.writeUInt32LE(0xfffffffe, 4);
  const directory = Buffer.alloc(512);
  for (const [index, name] of ['Root Entry', ...names].slice(0, 4).entries()) {
    const at = 128 * index;
    directory.write(name, at, 'utf16le');
    directory.writeUInt16LE(2 * name.length + 2, at + 64);
    directory[at + 66] = index === 0 ? 5 : 2;
    if (index === 0) rootClass.copy(directory, at + 80);
    directory.writeUInt32LE(2, at + 116);
  }
  return Buffer.concat([header, table, directory, Buffer.alloc(4096)]);
}
