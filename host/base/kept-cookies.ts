import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';

/** Maximum size of a person's cookies, in bytes; larger sets are not kept. */
export const MAX_KEPT_COOKIES_BYTES = 4 * 1024 * 1024;

/**
 * People's cookies on disk while their surrogates run, so that they outlive a host that is killed: `cookies/` in the data folder. Only the
 * cell knows their format: sites have made what is in them.
 */
export interface KeptCookies {
  /** Writes a person's cookies down, in the place of earlier ones. */
  keep(subject: string, cookies: Uint8Array): Promise<void>;
  /** The cookies of a person whose host was killed; none for anybody else. */
  find(subject: string): Promise<Uint8Array | undefined>;
  forget(subject: string): Promise<void>;
  /** Removes what was written before a time, in epoch milliseconds. */
  sweep(before: number): Promise<void>;
}

/** Opens the folder, which is made with the first cookies. Methods reject with the errors of the file system. */
export function keptCookies(dataDir: string): KeptCookies {
  const folder = path.join(dataDir, 'cookies');
  const fileOf = (subject: string): string =>
    path.join(folder, `${createHash('sha256').update(subject).digest('hex').slice(0, 32)}.json`);
  /** Ends of the last writes by file: those of one file happen in the order of their calls. */
  const writes = new Map<string, Promise<void>>();
  const inOrder = (file: string, write: () => Promise<void>): Promise<void> => {
    const done = (writes.get(file) ?? Promise.resolve()).then(write);
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (writes.get(file) === settled) writes.delete(file);
      });
    writes.set(file, settled);
    return done;
  };
  return {
    async keep(subject, cookies) {
      if (cookies.length > MAX_KEPT_COOKIES_BYTES) return;
      const file = fileOf(subject);
      await inOrder(file, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${file}.new`, cookies, { mode: 0o600 });
        await rename(`${file}.new`, file);
      });
    },
    async find(subject) {
      try {
        return await readFile(fileOf(subject));
      } catch {
        return undefined; // there is none
      }
    },
    async forget(subject) {
      const file = fileOf(subject);
      await inOrder(file, () => rm(file, { force: true }));
    },
    async sweep(before) {
      const names = await readdir(folder).catch(() => []); // there are none yet
      for (const name of names) {
        const file = path.join(folder, name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < before) await rm(file, { force: true });
      }
    },
  };
}

/**
 * Removes cookies of people who have not come back since a host was killed: at once those that are older than `idleMs`, in ms, and
 * after that time all from before this start. People come back for their cookies as soon as for their tabs, or not at all.
 */
export function sweepOrphanedCookies(cookies: KeptCookies, idleMs: number, log: Log): void {
  const sweep = (before: number): void => {
    cookies.sweep(before).catch((thrown: unknown) => {
      log.error('cookies of an earlier run are still on disk', { error: toAppError(thrown).message });
    });
  };
  const startedAt = Date.now();
  sweep(startedAt - idleMs);
  setTimeout(() => sweep(startedAt), idleMs).unref();
}
