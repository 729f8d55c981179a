import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../host/plugin.ts';
import { HandlePool } from './handle-pool.ts';

/** Error codes of systems for a disk, or a quota, that has no room. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Part of the room that others leave which one person may have: there is always some left for the next one. */
const SHARE = 0.5;

/** The folder of the store, and how much of the disk it takes. */
export class Disk {
  readonly folder: string;
  readonly handles = new HandlePool();
  readonly #maxBytes: number;
  #bytes = 0;
  /** Bytes of files, by their person. */
  readonly #people = new Map<string, number>();

  constructor(folder: string, maxBytes: number) {
    this.folder = folder;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /**
   * Counts bytes that are about to be written. `person`: whose file they are of; undefined for the store's own.
   *
   * @throws AppError `disk-full` where they are more than the store may have, or than the person may
   */
  take(bytes: number, person?: string): void {
    const own = this.#of(person);
    const others = this.#bytes - own;
    const most = person === undefined ? this.#maxBytes : others + SHARE * (this.#maxBytes - others);
    if (this.#bytes + bytes > most) throw new AppError('disk-full', 'The file store is full.');
    this.found(bytes, person);
  }

  /** Counts bytes that were there when the store was opened: they stay, whatever the limit is now. */
  found(bytes: number, person?: string): void {
    this.#bytes += bytes;
    if (person !== undefined) this.#people.set(person, this.#of(person) + bytes);
  }

  /** Counts bytes as removed. */
  free(bytes: number, person?: string): void {
    this.#bytes -= bytes;
    if (person === undefined) return;
    const own = this.#of(person) - bytes;
    if (own > 0) this.#people.set(person, own);
    else this.#people.delete(person);
  }

  #of(person: string | undefined): number {
    return this.#people.get(person ?? '') ?? 0;
  }
}

/** The error of a disk as AppError: `disk-full` or `disk-failed`. */
export function diskError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = String((thrown as NodeJS.ErrnoException).code); // where it is one
  return FULL.has(code)
    ? new AppError('disk-full', 'The disk of the host is full.', { cause: thrown })
    : new AppError('disk-failed', `The disk of the host failed: ${code}.`, { cause: thrown });
}

/** Writes all buffers at a place of a file: a disk that fills up takes less than it is given. */
export async function writeAll(handle: FileHandle, buffers: readonly Buffer[], position: number): Promise<void> {
  let left: Buffer[] = [...buffers];
  for (let at = position; left.length > 0;) {
    const { bytesWritten } = await handle.writev(left, at);
    if (bytesWritten === 0) throw new Error('nothing was written');
    at += bytesWritten;
    left = after(left, bytesWritten);
  }
}

/** The rest of some buffers behind their first bytes. */
function after(buffers: readonly Buffer[], bytes: number): Buffer[] {
  let begin = bytes;
  return buffers.flatMap((buffer) => {
    const skipped = Math.min(begin, buffer.length);
    begin -= skipped;
    return skipped === buffer.length ? [] : [buffer.subarray(skipped)];
  });
}
