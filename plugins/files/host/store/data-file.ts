import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { AppError, freeMemory } from '../../../../host/plugin.ts';
import { CHUNK_BYTES, SEALED_BYTES, sealedSize } from './chunk-cipher.ts';
import type { ChunkCipher } from './chunk-cipher.ts';
import { writeAll } from './disk.ts';
import type { Disk } from './disk.ts';
import type { Pooled } from './handle-pool.ts';

/** Chunks that are written at once: 1 MiB. */
const BATCH_CHUNKS = 16;
/** Chunks that {@link DataFile.read} reads at most: 512 KiB. */
const READ_CHUNKS = 8;
/** Memory into which sealed chunks are read, of reads that are over: new memory for each read keeps the garbage collector busy. */
const sealedMemory: Buffer[] = [];
const MAX_SEALED_MEMORY = 8;
/** Room for the first bytes of a chunk; it doubles until it holds a whole one. Most people who begin many files fill few. */
const MIN_TAIL_BYTES = 4096;

const { O_NOFOLLOW, O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants;

/** State of a file that grows. */
interface Growth {
  readonly hash: Hash;
  /** Plain bytes of the chunk that is not full yet: a chunk is sealed once, and never changes. */
  tail: Buffer;
  tailBytes: number;
  /** Sealed chunks that are not on disk yet. */
  pending: (readonly [Buffer, Buffer])[];
}

/** The bytes of one file: sealed chunks on disk, and in memory those that are to be written. There is no file on disk before the first. */
export class DataFile implements Pooled {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #person: string;
  readonly #cipher: ChunkCipher;
  #growth: Growth | undefined;
  #size: number;
  /** Chunks that are on disk. */
  #flushed: number;
  /** Bytes on disk that are counted: those of chunks that are being written, too. */
  #taken: number;
  /** Chunk that was read last, for parsers, which read little at a time. */
  #recent: { readonly number: number; readonly bytes: Buffer } | undefined;
  #discarding: Promise<void> | undefined;

  /** @param size plain bytes of a file that is complete on disk already; undefined for a new one */
  constructor(
    disk: Disk,
    { id, person }: { readonly id: string; readonly person: string },
    cipher: ChunkCipher,
    size?: number,
  ) {
    this.#disk = disk;
    this.#path = disk.path(id);
    this.#person = person;
    this.#cipher = cipher;
    this.#size = size ?? 0;
    this.#flushed = Math.ceil(this.#size / CHUNK_BYTES);
    this.#taken = sealedSize(this.#size);
    if (size === undefined)
      this.#growth = { hash: createHash('sha256'), tail: Buffer.alloc(0), tailBytes: 0, pending: [] };
  }

  /** Plain bytes. */
  get size(): number {
    return this.#size;
  }

  /** Whether enough chunks wait for {@link flush}. */
  get isBatch(): boolean {
    return (this.#growth?.pending.length ?? 0) >= BATCH_CHUNKS;
  }

  /** Appends the first of some bytes, up to the end of the chunk. They are copied, or encrypted. @returns their number */
  add(bytes: Uint8Array): number {
    const growth = this.#grows();
    const piece = bytes.subarray(0, CHUNK_BYTES - growth.tailBytes);
    growth.hash.update(piece);
    if (piece.length === CHUNK_BYTES) this.#seal(growth, piece);
    else {
      const filled = growth.tailBytes + piece.length;
      if (filled > growth.tail.length) growth.tail = enlarged(growth, filled);
      growth.tail.set(piece, growth.tailBytes);
      growth.tailBytes = filled;
      if (filled === CHUNK_BYTES) this.#sealTail(growth);
    }
    this.#size += piece.length;
    return piece.length;
  }

  /** Writes what is sealed. Nothing may be added meanwhile. @throws AppError `disk-full`; errors of the disk */
  async flush(): Promise<void> {
    const pending = this.#growth?.pending ?? [];
    if (pending.length === 0) return;
    const buffers = pending.flat();
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    const position = this.#flushed * SEALED_BYTES;
    this.#disk.take(bytes, this.#person);
    this.#taken += bytes;
    await this.#disk.handles.use(this, (handle) => writeAll(handle, buffers, position));
    this.#flushed += pending.length;
    if (this.#growth) this.#growth.pending = [];
    for (const [sealed] of pending) freeMemory(sealed);
  }

  /** Seals and writes the rest. @returns the SHA-256, hexadecimal. @throws as {@link flush} */
  async finish(): Promise<string> {
    const growth = this.#grows();
    if (growth.tailBytes > 0) this.#sealTail(growth);
    growth.tail = Buffer.alloc(0);
    await this.flush();
    this.#growth = undefined;
    return growth.hash.digest('hex');
  }

  /** Bytes from `from` to `to`, fewer where they are many: at least one where there is one. @throws AppError `file-damaged`; errors of the disk */
  async read(from: number, to: number): Promise<Buffer[]> {
    const tail = this.#tailPart(from, to);
    if (tail) return [tail];
    const first = Math.floor(from / CHUNK_BYTES);
    const end = Math.min(Math.ceil(Math.min(to, this.#size) / CHUNK_BYTES), first + READ_CHUNKS);
    const chunks = await this.#chunks(first, end);
    return chunks.map((chunk, index) => {
      const at = (first + index) * CHUNK_BYTES;
      return chunk.subarray(Math.max(0, from - at), Math.min(chunk.length, to - at));
    });
  }

  /** As {@link read}, within one chunk, which stays in memory for the next call. The bytes are the caller's. */
  async readSome(from: number, to: number): Promise<Uint8Array> {
    const tail = this.#tailPart(from, to);
    if (tail) return tail;
    const number = Math.floor(from / CHUNK_BYTES);
    const at = number * CHUNK_BYTES;
    let bytes = this.#recent?.number === number ? this.#recent.bytes : undefined;
    if (bytes === undefined || at + bytes.length < Math.min(to, at + CHUNK_BYTES)) {
      [bytes = Buffer.alloc(0)] = await this.#chunks(number, number + 1);
      if (!this.#discarding) this.#recent = { number, bytes };
    }
    return Uint8Array.prototype.slice.call(bytes, from - at, to - at); // a copy, which subarrays and `Buffer.slice` are not
  }

  /** Forgets the key, and removes it from disk. What is in progress ends first; nothing may begin any more. @throws errors of the disk */
  discard(): Promise<void> {
    this.#growth = undefined;
    this.#cipher.destroy(); // from here on nobody can read what may stay on disk
    return (this.#discarding ??= this.#remove());
  }

  async open(): Promise<FileHandle> {
    if (!this.#growth) return open(this.#path, O_RDONLY | O_NOFOLLOW);
    const isNew = this.#flushed === 0;
    return open(this.#path, O_RDWR | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0), 0o600);
  }

  onClosed(): void {
    this.#recent = undefined;
  }

  /** Plain chunks. Those in memory are taken at once: they change, or are on disk, once something was waited for. */
  async #chunks(first: number, end: number): Promise<Buffer[]> {
    const onDisk = Math.min(end, this.#flushed);
    const inMemory: Buffer[] = [];
    for (let number = Math.max(first, this.#flushed); number < end; number++) inMemory.push(this.#inMemory(number));
    if (first >= onDisk) return inMemory;
    const plainBytes = Math.min(onDisk * CHUNK_BYTES, this.#size) - first * CHUNK_BYTES;
    const memory = sealedMemory.pop() ?? Buffer.allocUnsafeSlow(READ_CHUNKS * SEALED_BYTES);
    const sealed = memory.subarray(0, sealedSize(plainBytes));
    const there = await this.#disk.handles.use(this, (handle) => readAll(handle, sealed, first * SEALED_BYTES));
    const chunks: Buffer[] = [];
    for (let number = first; number < onDisk; number++) {
      const at = (number - first) * SEALED_BYTES;
      chunks.push(this.#cipher.openWhole(number, there.subarray(at, at + SEALED_BYTES)));
    }
    if (sealedMemory.length < MAX_SEALED_MEMORY) sealedMemory.push(memory);
    return [...chunks, ...inMemory];
  }

  /** A copy of a part of the chunk that is not full yet: those who follow a file read it again and again, a little further each time. */
  #tailPart(from: number, to: number): Buffer | undefined {
    const growth = this.#growth;
    const at = (this.#flushed + (growth?.pending.length ?? 0)) * CHUNK_BYTES;
    if (!growth || from < at) return undefined;
    return Buffer.from(growth.tail.subarray(from - at, Math.min(to - at, growth.tailBytes)));
  }

  #inMemory(number: number): Buffer {
    const { pending, tail, tailBytes } = this.#grows();
    const sealed = pending[number - this.#flushed];
    return sealed ? this.#cipher.open(number, ...sealed) : Buffer.from(tail.subarray(0, tailBytes));
  }

  #sealTail(growth: Growth): void {
    this.#seal(growth, growth.tail.subarray(0, growth.tailBytes));
    growth.tailBytes = 0;
  }

  #seal(growth: Growth, plain: Uint8Array): void {
    growth.pending.push(this.#cipher.seal(this.#flushed + growth.pending.length, plain));
  }

  async #remove(): Promise<void> {
    await this.#disk.handles.discard(this);
    this.#recent = undefined;
    await rm(this.#path, { force: true });
    this.#disk.free(this.#taken, this.#person);
    this.#taken = 0;
  }

  #grows(): Growth {
    if (!this.#growth) throw new AppError('file-unknown', 'The file does not grow any more.');
    return this.#growth;
  }
}

function enlarged({ tail, tailBytes }: Growth, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(MIN_TAIL_BYTES, 2 * tail.length, needed)));
  larger.set(tail.subarray(0, tailBytes));
  return larger;
}

/** Reads until the buffer is full or the file ends. @returns the part of the buffer that was filled */
async function readAll(handle: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
