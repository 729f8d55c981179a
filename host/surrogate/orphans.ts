import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { surrogateFolders } from './folders.ts';
import { killGroup, runningPid } from './process-identity.ts';
import { readRecord, removeTree } from './records.ts';
import { runAs, type RunAs } from './unprivileged.ts';

/**
 * Kills surrogates of crashed hosts and removes their profiles. Surrogates of running hosts stay, and so does a process
 * that merely got the id of an old surrogate. Call it once, before the first launch.
 *
 * @param user one of the users that surrogates run as.
 * @returns the number of surrogates that were swept.
 */
export async function sweepOrphans(dataDir: string, user: RunAs | undefined = runAs()): Promise<number> {
  const { records } = surrogateFolders(dataDir, user);
  let swept = 0;
  for (const name of await readdir(records)) {
    const file = path.join(records, name);
    const entry = await readRecord(file);
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
