import { createInflate } from 'node:zlib';
import { AppError, toAppError } from '../../../../host/plugin.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { through } from './format/through.ts';
import { PdfNames } from './pdf-names.ts';

/** Streams of a PDF that are looked at. */
const MAX_STREAMS = 100_000;
/** Bytes of a stream that are read at first: most are short. */
const FIRST_BYTES = 4096;
/** Bytes between the word `stream` and its data that are passed over. */
const MAX_SPACE = 64;
const WINDOW_BYTES = 1_048_576;
/** Bytes of compressed streams together, for each byte of the file: each stands there once unless streams overlap. */
const MAX_PACKED = 2;

const WORD = Buffer.from('stream');
const SPACE = new Set([0, 9, 10, 12, 13, 32]);

/** A stream of a PDF, by its place. */
interface PdfStream {
  /** Where its bytes begin and end; a compressed one ends by itself. */
  readonly from: number;
  to: number;
  readonly isPacked: boolean;
  /** Length of its content in bytes. */
  size: number;
}

/** Streams of a PDF, and what its names say of embedded files. */
interface PdfStreams {
  readonly streams: readonly PdfStream[];
  /** Whether the names of embedded files occur, in the file or in a stream. */
  readonly mayEmbed: boolean;
  /** Whether there may be streams that are packed in a way that is not read here. */
  readonly mayBeUnread: boolean;
}

/** Whether two bytes begin data of zlib (RFC 1950). */
const isZlib = (first: number, second: number): boolean => (first & 15) === 8 && (first * 256 + second) % 31 === 0;

/** Content of a compressed stream, as far as it can be unpacked: programs show the beginning of a damaged one. */
async function* inflated(file: FileBytes, from: number, onEnd: (packed: number) => void): AsyncGenerator<Uint8Array> {
  async function* packed(): AsyncGenerator<Uint8Array> {
    yield await file.read(from, FIRST_BYTES);
    yield* file.stream(from + FIRST_BYTES);
  }
  const inflate = createInflate();
  try {
    yield* through(packed(), inflate);
  } catch (error) {
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw toAppError(error);
  } finally {
    onEnd(inflate.bytesWritten);
  }
}

/** Bytes between the word `stream` and its data: white space, or the rest of the line; undefined where the word is no keyword. */
function spaceOf(next: Buffer): number | undefined {
  let space = 0;
  while (space < MAX_SPACE && SPACE.has(next[space] ?? -1)) space += 1;
  if (space > 0 && isZlib(next[space] ?? 0, next[space + 1] ?? 0)) return space;
  const line = next.indexOf(10);
  return line >= 0 && line < MAX_SPACE ? line + 1 : space || undefined;
}

/** Content of a stream. */
export function readPdfStream(file: FileBytes, { from, to, isPacked }: PdfStream): AsyncIterable<Uint8Array> {
  return isPacked ? inflated(file, from, () => undefined) : file.stream(from, to);
}

/** Places of the word `stream` in a file, and whether it is the end of one. */
async function* words(file: FileBytes, names: PdfNames): AsyncGenerator<{ at: number; isEnd: boolean; next: Buffer }> {
  const overlap = MAX_SPACE + WORD.length + 6;
  for (let start = 0; start < file.size; start += WINDOW_BYTES) {
    const from = Math.max(0, start - 3);
    const bytes = Buffer.from(await file.read(from, WINDOW_BYTES + overlap));
    names.search(bytes.subarray(start - from, start - from + WINDOW_BYTES));
    for (let at = bytes.indexOf(WORD, start - from); at >= 0; at = bytes.indexOf(WORD, at + 1)) {
      if (from + at >= start + WINDOW_BYTES) break;
      const isEnd = bytes.toString('latin1', Math.max(0, at - 3), at) === 'end';
      yield { at: from + at, isEnd, next: bytes.subarray(at + WORD.length, at + WORD.length + MAX_SPACE + 2) };
    }
  }
  names.end();
}

/**
 * Finds the streams of a PDF by the word that begins them, whatever its objects and references say: programs repair damaged ones so. Unpacks each that
 * begins like compressed data, and searches the file and them for the names of embedded files. Time is linear in what is read and unpacked.
 *
 * @param take called with each piece that is unpacked; throws past the bounds
 * @throws AppError `archive-damaged` where streams overlap, and `archive-limit` where there are too many
 */
export async function readPdf(file: FileBytes, take: (bytes: number) => void): Promise<PdfStreams> {
  const names = new PdfNames();
  const streams: PdfStream[] = [];
  let open: PdfStream[] = [];
  let packed = 0;
  for await (const { at, isEnd, next } of words(file, names)) {
    if (isEnd) {
      for (const stream of open) stream.to = at - 3;
      open = [];
      continue;
    }
    const space = spaceOf(next);
    if (space === undefined) continue;
    if (streams.length >= MAX_STREAMS) throw new AppError('archive-limit', `more than ${MAX_STREAMS} streams`);
    const from = at + WORD.length + space;
    const isPacked = isZlib(next[space] ?? 0, next[space + 1] ?? 0);
    const stream = { from, to: file.size, isPacked, size: 0 };
    streams.push(stream);
    if (!isPacked) {
      open.push(stream);
      continue;
    }
    const inner = new PdfNames(names);
    const content = inflated(file, from, (bytes) => (packed += bytes));
    for await (const chunk of content) {
      take(chunk.length);
      stream.size += chunk.length;
      inner.search(chunk);
    }
    inner.end();
    if (packed > MAX_PACKED * file.size) throw new AppError('archive-damaged', 'streams of the PDF overlap');
  }
  for (const stream of streams) if (!stream.isPacked) stream.size = stream.to - stream.from;
  return { streams, mayEmbed: names.mayEmbed, mayBeUnread: names.mayBeUnread };
}
