import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import type { Protocol } from 'devtools-protocol';

/** Cookies of a surrogate, as it reports them. */
export type Cookies = readonly Protocol.Network.Cookie[];

/** Maximum size of a person's cookies on disk, in characters; larger sets are not kept. */
const MAX_CHARS = 4 * 1024 * 1024;

/** People's cookies on disk while their surrogates run, so that they outlive a host that is killed: `cookies/` in the data folder. */
export interface KeptCookies {
  /** Writes a person's cookies down, in the place of earlier ones. */
  keep(subject: string, cookies: Cookies): Promise<void>;
  /** The cookies of a person whose host was killed; none for anybody else. */
  find(subject: string): Promise<Cookies | undefined>;
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
      const text = JSON.stringify(cookies);
      if (text.length > MAX_CHARS) return;
      const file = fileOf(subject);
      await inOrder(file, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${file}.new`, text, { mode: 0o600 });
        await rename(`${file}.new`, file);
      });
    },
    async find(subject) {
      try {
        const kept = JSON.parse(await readFile(fileOf(subject), 'utf8')) as unknown;
        return Array.isArray(kept) ? (kept as Cookies) : undefined; // written by us
      } catch {
        return undefined; // there is none, or a crash has cut it off
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
