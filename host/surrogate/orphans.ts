import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { surrogateFolders } from './folders.ts';
import { killGroup, processIdentity, runningPid } from './process-identity.ts';
import { runAs } from './unprivileged.ts';

const run = promisify(execFile);

const Entry = v.object({
  /** The host that started the surrogate, as {@link processIdentity} names it. */
  host: v.string(),
  /** The surrogate's browser process, leader of its group. Absent while it is being started. */
  surrogate: v.optional(v.string()),
  profileDir: v.string(),
  /** Whether the profile goes with the surrogate. */
  throwAway: v.boolean(),
});
type Entry = v.InferOutput<typeof Entry>;

/** What the host has on disk about one surrogate while it lives. */
interface SurrogateRecord {
  /** Writes down the browser's process. */
  started(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/** Writes a record before anything of the surrogate exists, so that a crash at any moment leaves a trace to sweep by. */
export async function recordSurrogate(
  records: string,
  profile: { readonly profileDir: string; readonly throwAway: boolean },
): Promise<SurrogateRecord> {
  const file = path.join(records, `${randomUUID()}.json`);
  const entry: Entry = { host: processIdentity(process.pid) ?? '', ...profile };
  const write = async (value: Entry): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(value));
    await rename(`${file}.new`, file);
  };
  await write(entry);
  return {
    async started(pid) {
      const surrogate = processIdentity(pid);
      if (surrogate) await write({ ...entry, surrogate });
    },
    remove: () => rm(file, { force: true }),
  };
}

/**
 * Kills what crashed hosts left running and removes the profiles of their surrogates. Surrogates of hosts that live are left alone, and so
 * is a process that merely got the id of an old surrogate. Call it once, before the first launch.
 *
 * @returns how many surrogates were swept.
 */
export async function sweepOrphans(dataDir: string): Promise<number> {
  const { records } = surrogateFolders(dataDir, runAs());
  let swept = 0;
  for (const name of await readdir(records)) {
    const file = path.join(records, name);
    const entry = await readEntry(file);
    if (entry && runningPid(entry.host) !== undefined) continue;
    if (entry) {
      const pid = entry.surrogate === undefined ? undefined : runningPid(entry.surrogate);
      if (pid !== undefined) await killGroup(pid);
      if (entry.throwAway) await removeTree(entry.profileDir);
      swept++;
    }
    await rm(file, { force: true });
  }
  return swept;
}

/** Undefined for what is no record: a write that a crash cut off. */
async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    return v.parse(Entry, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Removes a profile. By `rm`: it never follows a link that somebody puts in place of a folder meanwhile, which matters as the tree belongs
 * to the surrogates' user and the host may be root.
 */
export async function removeTree(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run('rm', ['-rf', '--', folder]);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await delay(100); // a crash handler of the dead browser may still be writing
    }
  }
}
