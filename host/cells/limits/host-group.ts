import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Name of the group for the host's own processes; hosts of one machine share it. */
export const HOST_GROUP = 'vitrine-host';

/**
 * Moves the host, the launcher's parent, into a group of its own below `parent`, so that busy cells do not delay it. Processes that it
 * starts later are in this group, too, until they are moved.
 *
 * @param limit sets the limits of the group. @returns a function that moves the host back.
 */
export function placeHost(parent: string, limit: (folder: string) => void, host = process.ppid): () => void {
  const folder = path.join(parent, HOST_GROUP);
  try {
    mkdirSync(folder, { recursive: true });
    limit(folder);
    writeFileSync(path.join(folder, 'cgroup.procs'), String(host));
  } catch {
    return () => undefined; // the host stays where it is
  }
  return () => {
    try {
      writeFileSync(path.join(parent, 'cgroup.procs'), String(host));
      rmdirSync(folder);
    } catch {
      // it has ended, or another host uses the group
    }
  };
}
