import { lstat, opendir, statfs } from 'node:fs/promises';
import path from 'node:path';

/** Interval of checks, in ms. */
const INTERVAL_MS = 1000;
/** Maximum share of time for checks, as a divisor. */
const COST_DIVISOR = 20;
/** Longest time between two counts of a folder, in ms: until then it cannot have grown by more than its file system has. */
const TRUSTED_MS = 10_000;
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
  /** When it was counted, the space that its file system had in use then, and how much of that may be added before it is counted again. */
  counted?: { readonly at: number; readonly inUse: number; readonly room: number };
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
      if (!(await isPast(watched)) || !this.#watched.delete(watched)) continue;
      watched.end();
    }
    const took = performance.now() - startedAt;
    this.#timer =
      this.#isClosed || this.#watched.size === 0
        ? undefined
        : setTimeout(() => void this.#look(), Math.max(this.#intervalMs, took * COST_DIVISOR));
  }
}

/** Whether a folder is larger than it may be. Counting takes far longer than asking its file system, which is asked first. */
async function isPast(watched: Watched): Promise<boolean> {
  const { folder, bytes, counted } = watched;
  const inUse = await spaceInUse(folder);
  const now = performance.now();
  if (counted && now - counted.at < TRUSTED_MS && Math.abs(inUse - counted.inUse) < counted.room) return false;
  const size = await sizeOf(folder, bytes);
  // Files of others that are removed meanwhile hide as much that is added: half of the room is left for that.
  watched.counted = { at: now, inUse, room: (bytes - size) / 2 };
  return size > bytes;
}

/** Space in use on the file system of a folder, in bytes, with what a file counts at least; NaN, which is near to nothing, where nobody knows. */
async function spaceInUse(folder: string): Promise<number> {
  try {
    const { blocks, bfree, bsize, files, ffree } = await statfs(folder);
    return (blocks - bfree) * bsize + (files - ffree) * ENTRY_BYTES;
  } catch {
    return NaN;
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
