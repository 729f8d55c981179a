import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Cipheriv, Hash } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../host/plugin.ts';

/** Files that one person may have at a time. */
const MAX_FILES = 500;
/** Time after which a file that nothing is appended to is given up, in ms. */
const STALLED_MS = 10 * 60_000;
const READ_BYTES = 256 * 1024;
/**
 * Counter mode: any part can be read and anything appended. It does not notice changed bytes; nobody but this process can reach them, and
 * their SHA-256 was taken as they came in.
 */
const CIPHER = 'aes-256-ctr';
const BLOCK_BYTES = 16;

/** Whose a file is. */
export interface FileOwner {
  /** Opaque subject. */
  readonly person: string;
  /** Id of the session. */
  readonly session: string;
}

interface Entry {
  readonly owner: FileOwner;
  readonly file: string;
  /** Stands nowhere else: without this process nobody can read the file. */
  readonly key: Buffer;
  readonly keepMs: number;
  readonly cipher: Cipheriv;
  readonly hash: Hash;
  handle: FileHandle | undefined;
  size: number;
  sha256: string | undefined;
  touchedAt: number;
  isBusy: boolean;
}

/** A part of a file: bytes from `first`, up to and without `end`. */
interface Part {
  readonly first: number;
  readonly end: number;
}

/** Files on disk, each encrypted with a key of its own that is only in memory. */
export class FileStore {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  /** Opens the store in a folder of its own; what an earlier process has left there is removed: its keys are gone. */
  static async open(folder: string, now: () => number = Date.now): Promise<FileStore> {
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
    return new FileStore(folder, now);
  }

  private constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Number of files. */
  get count(): number {
    return this.#entries.size;
  }

  /** Begins a file. @returns its key: 43 characters. @throws AppError `too-many-files` */
  async begin(owner: FileOwner, keepMs: number): Promise<string> {
    const own = [...this.#entries.values()].filter((each) => each.owner.person === owner.person);
    if (own.length >= MAX_FILES) throw new AppError('too-many-files', `There are ${MAX_FILES} files already.`);
    const name = randomBytes(32).toString('base64url');
    const file = path.join(this.#folder, randomBytes(16).toString('hex'));
    const key = randomBytes(32);
    const handle = await open(file, 'wx+', 0o600);
    this.#entries.set(name, {
      owner,
      file,
      key,
      keepMs,
      handle,
      cipher: createCipheriv(CIPHER, key, Buffer.alloc(BLOCK_BYTES)),
      hash: createHash('sha256'),
      size: 0,
      sha256: undefined,
      touchedAt: this.#now(),
      isBusy: false,
    });
    return name;
  }

  /**
   * Appends bytes as they come. What has come stays when they break off.
   *
   * @throws AppError `file-unknown`, `part-out-of-order` unless `offset` is its size, `file-busy`, `file-complete`; `file-too-large`,
   * `disk-full`, which remove it
   */
  async append(
    name: string,
    owner: FileOwner,
    bytes: AsyncIterable<Uint8Array>,
    { offset, maxBytes }: { readonly offset: number; readonly maxBytes: number },
  ): Promise<number> {
    const entry = this.#get(name, owner);
    if (entry.sha256 !== undefined) throw new AppError('file-complete', 'The file is complete.');
    if (entry.isBusy) throw new AppError('file-busy', 'Something is being appended to the file.', { retryable: true });
    if (offset !== entry.size)
      throw new AppError('part-out-of-order', `The file has ${entry.size} bytes, this part begins at ${offset}.`);
    entry.isBusy = true;
    try {
      for await (const chunk of bytes) {
        if (entry.size + chunk.length > maxBytes)
          throw new AppError('file-too-large', `The file has more than ${maxBytes} bytes.`);
        if (!entry.handle) throw unknown(); // removed meanwhile
        entry.hash.update(chunk);
        await entry.handle.writeFile(entry.cipher.update(chunk));
        entry.size += chunk.length;
        entry.touchedAt = this.#now();
      }
      return entry.size;
    } catch (thrown) {
      const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((thrown as NodeJS.ErrnoException).code)); // where it is one
      if (isFull || (thrown instanceof AppError && thrown.code === 'file-too-large')) await this.#remove(name, entry);
      throw isFull ? new AppError('disk-full', 'The disk of the host is full.', { cause: thrown }) : thrown;
    } finally {
      entry.isBusy = false;
    }
  }

  /** Nothing more is appended. @throws AppError `file-unknown`, `file-busy` */
  complete(name: string, owner: FileOwner): { readonly size: number; readonly sha256: string } {
    const entry = this.#get(name, owner);
    if (entry.isBusy) throw new AppError('file-busy', 'Something is being appended to the file.', { retryable: true });
    entry.sha256 ??= entry.hash.digest('hex');
    entry.touchedAt = this.#now();
    return { size: entry.size, sha256: entry.sha256 };
  }

  /** A part of a complete file. @throws AppError `file-unknown`, also while it grows, and later in the iteration once it is removed. */
  read(name: string, owner: FileOwner, { first, end }: Part): AsyncIterable<Uint8Array> {
    const entry = this.#get(name, owner);
    if (entry.sha256 === undefined) throw unknown();
    entry.touchedAt = this.#now();
    return readPart(entry, first, Math.min(end, entry.size));
  }

  /** Removes a file; does nothing for one that is not there, or is somebody else's. */
  async remove(name: string, owner: FileOwner): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry && isOwner(entry, owner)) await this.#remove(name, entry);
  }

  /** Removes all files of a session. */
  async leave(owner: FileOwner): Promise<void> {
    for (const [name, entry] of this.#entries) if (isOwner(entry, owner)) await this.#remove(name, entry);
  }

  /** Removes what is past its time, or has stalled. */
  async expire(): Promise<void> {
    const now = this.#now();
    for (const [name, entry] of this.#entries) {
      const limit = entry.sha256 === undefined ? STALLED_MS : entry.keepMs;
      if (now - entry.touchedAt > limit) await this.#remove(name, entry);
    }
  }

  /** Removes all. */
  async close(): Promise<void> {
    for (const [name, entry] of this.#entries) await this.#remove(name, entry);
  }

  #get(name: string, owner: FileOwner): Entry {
    const entry = this.#entries.get(name);
    if (!entry || !isOwner(entry, owner)) throw unknown();
    return entry;
  }

  async #remove(name: string, entry: Entry): Promise<void> {
    this.#entries.delete(name);
    const { handle } = entry;
    entry.handle = undefined;
    entry.key.fill(0);
    await handle?.close();
    await rm(entry.file, { force: true });
  }
}

async function* readPart(entry: Entry, first: number, end: number): AsyncGenerator<Uint8Array> {
  const decipher = decipherAt(entry.key, first);
  for (let at = first; at < end;) {
    const { handle } = entry;
    if (!handle) throw unknown();
    const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new AppError('file-damaged', 'The file is shorter than it was.');
    at += bytesRead;
    yield decipher.update(chunk.subarray(0, bytesRead));
  }
}

/** The decipher for the bytes from a place on. */
function decipherAt(key: Buffer, at: number): { update(bytes: Uint8Array): Buffer } {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / BLOCK_BYTES)), BLOCK_BYTES - 8);
  const decipher = createDecipheriv(CIPHER, Buffer.from(key), counter);
  decipher.update(Buffer.alloc(at % BLOCK_BYTES));
  return decipher;
}

const isOwner = (entry: Entry, { person, session }: FileOwner): boolean =>
  entry.owner.person === person && entry.owner.session === session;
const unknown = (): AppError => new AppError('file-unknown', 'There is no such file, or not any more.');
