import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processIdentity } from './process-identity.ts';

const run = promisify(execFile);

/** Format of a record on disk. */
interface Entry {
  /** The host that started the surrogate, as {@link processIdentity} names it. */
  readonly host: string;
  /** The surrogate's browser process, leader of its group. Absent while it is being started. */
  readonly surrogate?: string;
  readonly profileDir: string;
  /** Whether the profile is removed with the surrogate. */
  readonly throwAway: boolean;
}

/** The host's record on disk of one surrogate. */
export interface SurrogateRecord {
  /** Records the browser's process. */
  started(pid: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Writes a record before any process or file of the surrogate exists, so that a sweep finds it after a crash at any
 * moment.
 */
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

/** Reads a record. Undefined for an invalid file: a write that a crash interrupted. */
export async function readRecord(file: string): Promise<Entry | undefined> {
  try {
    const { host, surrogate, profileDir, throwAway } = JSON.parse(await readFile(file, 'utf8')) as Partial<Entry>; // each is checked
    if (typeof host !== 'string' || typeof profileDir !== 'string' || typeof throwAway !== 'boolean') return undefined;
    if (surrogate !== undefined && typeof surrogate !== 'string') return undefined;
    return { host, profileDir, throwAway, ...(surrogate === undefined ? {} : { surrogate }) };
  } catch {
    return undefined;
  }
}

/**
 * Removes a profile. By `rm`: it never follows a link that another user puts in place of a folder meanwhile, which
 * matters because the tree belongs to the surrogates' user and the host may be root.
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
