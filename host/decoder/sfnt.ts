import { AppError } from '../../core/protocol/errors.ts';

const COLLECTION = 0x74746366; // 'ttcf'
const ENTRY = 16;

/** Extracts one font of a file as a file of its own. @throws AppError `font-broken`. */
export function singleFont(file: Buffer, index: number): Buffer {
  try {
    if (file.readUInt32BE(0) !== COLLECTION) return file;
    const directory = file.readUInt32BE(12 + 4 * index);
    const count = file.readUInt16BE(directory + 4);
    const head = Buffer.from(file.subarray(directory, directory + 12 + ENTRY * count));
    const tables: Buffer[] = [];
    let at = head.length;
    for (let entry = 12; entry < head.length; entry += ENTRY) {
      const offset = head.readUInt32BE(entry + 8);
      const length = head.readUInt32BE(entry + 12);
      if (offset + length > file.length) throw new RangeError('a table is missing');
      head.writeUInt32BE(at, entry + 8);
      const padded = Buffer.alloc((length + 3) & ~3);
      file.copy(padded, 0, offset, offset + length);
      tables.push(padded);
      at += padded.length;
    }
    return Buffer.concat([head, ...tables]);
  } catch (thrown) {
    throw new AppError('font-broken', 'The font file is broken.', { cause: thrown });
  }
}
