import type { FileBytes } from './format/file-bytes.ts';
import { END64_LOCATOR, END_BYTES, END_SEARCH, ENTRY } from './zip-directory.ts';

const END_MARK = Buffer.from('PK\u0005\u0006', 'latin1');
/** Bytes of the locator of a zip64 end record, which stands right before the end record. */
const LOCATOR_BYTES = 20;
/** End records that are looked at; a file with more counts as a zip file, and its directory is then read or not. */
const MAX_ENDS = 32;

/**
 * Whether a zip file ends the file, whatever stands before it: programs that unpack take it for one by its end record. Bytes that only look like an
 * end record do not count: the directory has to begin where the record says, by its length or by its offset. Bounded reading.
 *
 * @param isTail whether the bytes are the end of a longer file
 */
export async function hasZipTail(file: FileBytes, isTail = false): Promise<boolean> {
  const from = Math.max(0, file.size - END_SEARCH);
  const tail = Buffer.from(await file.read(from, END_SEARCH));
  const beginsAt = async (place: number): Promise<boolean> => {
    const mark = Buffer.from(place < 0 ? [] : await file.read(place, 4));
    return mark.length === 4 && mark.readUInt32LE(0) === ENTRY;
  };
  let ends = 0;
  for (let at = tail.lastIndexOf(END_MARK); at >= 0; at = at > 0 ? tail.lastIndexOf(END_MARK, at - 1) : -1) {
    if (at + END_BYTES > tail.length) continue;
    ends += 1;
    if (ends > MAX_ENDS) return true;
    const [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (at >= LOCATOR_BYTES && tail.readUInt32LE(at - LOCATOR_BYTES) === END64_LOCATOR) return true;
    // Of a tail alone the beginning of the directory may be missing.
    if (at < bytes && isTail) return true;
    if ((await beginsAt(from + at - bytes)) || (await beginsAt(offset))) return true;
  }
  return false;
}

/** Keeps the last bytes of a stream that is read: those in which {@link hasZipTail} looks. */
export function tailOf(source: AsyncIterable<Uint8Array>): { stream: AsyncIterable<Uint8Array>; tail: () => Buffer } {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > 4 * END_SEARCH) {
        chunks = [Buffer.concat(chunks).subarray(-END_SEARCH)];
        bytes = END_SEARCH;
      }
      yield chunk;
    }
  }
  return { stream: watched(), tail: () => Buffer.concat(chunks).subarray(-END_SEARCH) };
}
