import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';

/** Interval of checks, in ms. */
const INTERVAL_MS = 1000;
/** Maximum share of time for checks, as a divisor. */
const COST_DIVISOR = 20;
/** Unit of `blocks`, in bytes. */
const BLOCK_BYTES = 512;
/** Least that a file or folder counts, in bytes: its name and its inode. It bounds the number of files, and so the cost of a check. */
const ENTRY_BYTES = 4096;
/** Number of files that are looked at together. */
const AT_ONCE = 64;

interface Watched {
  readonly folder: string;
  readonly bytes: number;
  readonly end: () => void;
}

/** Watches the size of folders, where no quota of the file system limits it. */
export class DiskWatch {
  readonly #watched = new Set<Watched>();
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(intervalMs = INTERVAL_MS) {
    this.#intervalMs = intervalMs;
  }

  /**
   * Watches a folder; `end` is called once, when it is larger than `bytes`.
   *
   * @returns a function that stops watching.
   */
  watch(folder: string, bytes: number, end: () => void): () => void {
    const watched: Watched = { folder, bytes, end };
    this.#watched.add(watched);
    this.#timer ??= setTimeout(() => void this.#look(), this.#intervalMs);
    return () => this.#watched.delete(watched);
  }

  close(): void {
    this.#isClosed = true;
    this.#watched.clear();
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const startedAt = performance.now();
    for (const watched of [...this.#watched]) {
      const size = await sizeOf(watched.folder, watched.bytes);
      if (size <= watched.bytes || !this.#watched.delete(watched)) continue;
      watched.end();
    }
    const took = performance.now() - startedAt;
    this.#timer =
      this.#isClosed || this.#watched.size === 0
        ? undefined
        : setTimeout(() => void this.#look(), Math.max(this.#intervalMs, took * COST_DIVISOR));
  }
}

/**
 * Returns the space that a folder takes on disk, in bytes; more than `most` as soon as it is known to be more. Links are not followed:
 * the folder belongs to somebody who is not trusted. What cannot be read, or is being removed, counts nothing. Never rejects.
 */
export async function sizeOf(folder: string, most: number): Promise<number> {
  let total = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    let names: string[] = [];
    const addAll = async (): Promise<void> => {
      for (const found of await Promise.all(names.map((name) => lstat(name).catch(() => undefined))))
        if (found) total += Math.max(ENTRY_BYTES, found.blocks * BLOCK_BYTES);
      names = [];
    };
    try {
      for await (const entry of await opendir(next)) {
        const name = path.join(next, entry.name);
        names.push(name);
        if (entry.isDirectory()) folders.push(name);
        if (names.length < AT_ONCE) continue;
        await addAll();
        if (total > most) return total;
      }
    } catch {
      // it is gone, or no folder any more
    }
    await addAll();
    if (total > most) return total;
  }
  return total;
}
