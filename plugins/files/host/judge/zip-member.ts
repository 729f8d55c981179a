import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { AppError, toAppError } from '../../../../host/plugin.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { through } from './format/through.ts';
import { decryptAes, decryptOld } from './zip-crypto.ts';
import type { ZipEntry } from './zip-directory.ts';
import { dataStart } from './zip-locals.ts';

const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;
const AES = 99;
const ENCRYPTED = 0x01;
const STRONG = 0x40;
const HAS_DESCRIPTOR = 0x08;
/** Version of AES encryption that stores no checksum. */
const AE2 = 2;

/** Whether an entry needs a password. */
export function isEncrypted(entry: ZipEntry): boolean {
  return (entry.flags & ENCRYPTED) !== 0;
}

/** Whether an entry is packed in a way that we do not read. */
export function isUnknownMethod(entry: ZipEntry): boolean {
  const method = entry.method === AES ? entry.aes?.method : entry.method;
  const isAes = entry.method !== AES || [1, 2, 3].includes(entry.aes?.strength ?? 0);
  return !isAes || (entry.flags & STRONG) !== 0 || ![STORED, DEFLATED, ZSTD].includes(method ?? -1);
}

function decrypted(packed: AsyncIterable<Uint8Array>, entry: ZipEntry, password: string): AsyncIterable<Uint8Array> {
  if (entry.method === AES) return decryptAes(packed, password, entry.aes?.strength ?? 0);
  const check = (entry.flags & HAS_DESCRIPTOR) !== 0 ? entry.time >>> 8 : entry.crc >>> 24;
  return decryptOld(packed, password, check);
}

/**
 * Content of an entry, unpacked. Ends with AppError `wrong-password`, or `archive-lies` where content and directory differ in length or checksum.
 *
 * @param password for an encrypted entry
 */
export async function* readZipEntry(file: FileBytes, entry: ZipEntry, password = ''): AsyncGenerator<Uint8Array> {
  const start = await dataStart(file, entry);
  if (start === undefined) throw new AppError('archive-lies', 'an entry lies outside the archive');
  const packed = file.stream(start, start + entry.packed);
  const plain = isEncrypted(entry) ? decrypted(packed, entry, password) : packed;
  const method = entry.method === AES ? entry.aes?.method : entry.method;
  const content =
    method === STORED ? plain : through(plain, method === ZSTD ? createZstdDecompress() : createInflateRaw());
  let size = 0;
  let crc = 0;
  const fault = (text: string, cause?: unknown): AppError =>
    isEncrypted(entry)
      ? new AppError('wrong-password', 'the password does not open this archive', { cause })
      : new AppError('archive-lies', text, { cause });
  const chunks = content[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await chunks.next().catch((error: unknown) => {
        const known = toAppError(error);
        throw known.code === 'internal' ? fault('an entry is damaged', error) : known;
      });
      if (next.done) break;
      size += next.value.length;
      if (size > entry.size) throw fault('an entry is longer than it says');
      crc = crc32(next.value, crc);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
  if (size !== entry.size) throw fault('an entry is shorter than it says');
  if (entry.aes?.version !== AE2 && crc !== entry.crc) throw fault('an entry has another checksum');
}
