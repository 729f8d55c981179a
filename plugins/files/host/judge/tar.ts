import { AppError } from '../../../../host/plugin.ts';

const BLOCK = 512;
/** Longest extended header, in bytes: it is kept in memory. */
const MAX_HEADER_BYTES = 1_048_576;

const damaged = (text: string): AppError => new AppError('archive-damaged', text);

/** One member of a tar file. Its data have to be read, or left, before the next member is asked for. */
interface TarMember {
  readonly path: string;
  readonly size: number;
  /** Whether it is of a kind that we read. */
  readonly isKnown: boolean;
  readonly data: AsyncIterable<Uint8Array>;
}

/** Reads a stream by lengths. */
class Lengths {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes; none at the end of the stream. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#left.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return this.#left;
      this.#left = next.value;
    }
    const taken = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(taken.length);
    return taken;
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let have = 0; have < length; have += parts.at(-1)?.length ?? 0) {
      const part = await this.some(length - have);
      if (part.length === 0) return Buffer.concat(parts);
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function textOf(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function numberOf(block: Buffer, at: number, length: number): number {
  const binary = ((block[at] ?? 0) & 0x80) !== 0;
  const value = binary
    ? Number(block.readBigUInt64BE(at + length - 8))
    : parseInt(textOf(block, at, length).trim() || '0', 8);
  if (!Number.isSafeInteger(value) || value < 0) throw damaged('a length is no number');
  return value;
}

const isZero = (byte: number): boolean => byte === 0;

function isChecked(block: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum === numberOf(block, 148, 8);
}

/** Whether the bytes begin like a tar file. */
export function isTar(head: Uint8Array): boolean {
  const block = Buffer.from(head.subarray(0, BLOCK));
  if (block.length < BLOCK || block[0] === 0 || !/^[0-7\s\0]+$/.test(block.toString('latin1', 148, 156))) return false;
  return isChecked(block);
}

/** `path` and `size` of a pax header (POSIX.1-2001): records "LENGTH key=value\n". */
function paxOf(body: Buffer): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(32, at);
    const length = space < 0 || space - at > 10 ? NaN : Number(body.toString('latin1', at, space));
    if (!(length > space - at) || at + length > body.length) throw damaged('an extended header is no header');
    const record = body.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) found.path = record.slice(5);
    if (record.startsWith('size=')) found.size = Number(record.slice(5));
    at += length;
  }
  if (found.size !== undefined && !(Number.isSafeInteger(found.size) && found.size >= 0))
    throw damaged('a length is no number');
  return found;
}

/** Members of a tar file with data, one after the other. Throws AppError `archive-damaged`. Memory is bounded. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const lengths = new Lengths(source);
  let next: { path?: string; size?: number } = {};
  try {
    while (true) {
      const block = await lengths.exactly(BLOCK);
      if (block.length === 0) return;
      if (block.every(isZero)) {
        // Padding. Some programs read on after it, and other formats are read from their end.
        for (
          let rest = await lengths.some(MAX_HEADER_BYTES);
          rest.length > 0;
          rest = await lengths.some(MAX_HEADER_BYTES)
        )
          if (!rest.every(isZero)) throw damaged('there is more after its end');
        return;
      }
      if (block.length < BLOCK || !isChecked(block)) throw damaged('a header has another checksum');
      const kind = String.fromCharCode(block[156] ?? 0);
      const size = next.size ?? numberOf(block, 124, 12);
      const padding = (BLOCK - (size % BLOCK)) % BLOCK;
      if (kind === 'x' || kind === 'L' || kind === 'K' || kind === 'g') {
        if (size > MAX_HEADER_BYTES) throw damaged('an extended header is too long');
        const body = await lengths.exactly(size);
        if (body.length < size) throw damaged('the file ends within a header');
        await lengths.exactly(padding);
        if (kind === 'x') next = { ...next, ...paxOf(body) };
        if (kind === 'L') next.path = textOf(body, 0, body.length);
        continue;
      }
      const prefix = block.toString('latin1', 257, 262) === 'ustar' ? textOf(block, 345, 155) : '';
      const path = next.path ?? (prefix === '' ? textOf(block, 0, 100) : `${prefix}/${textOf(block, 0, 100)}`);
      next = {};
      let left = size;
      async function* data(): AsyncGenerator<Uint8Array> {
        while (left > 0) {
          const part = await lengths.some(left);
          if (part.length === 0) throw damaged('the file ends within a member');
          left -= part.length;
          yield part;
        }
      }
      if (size > 0 || '\u000007'.includes(kind)) yield { path, size, isKnown: '\u000007'.includes(kind), data: data() };
      for await (const _ of data());
      await lengths.exactly(padding);
    }
  } finally {
    await lengths.close();
  }
}
