import { lstat, readdir, rm } from 'node:fs/promises';
import type { Log } from '../../../../core/contracts/scope.ts';
import { sealedSize } from './chunk-cipher.ts';
import type { Disk } from './disk.ts';
import { KEY_FILE } from './master-key.ts';
import { SIDE_FILE, SideFile, TEMPORARY } from './side-file.ts';
import type { Quarantined } from './side-file.ts';

/** Names of files that a killed process leaves: nobody has their keys any more. */
const LEFTOVER = new RegExp(`^[\\da-f]{32}(${TEMPORARY.replace('.', '\\.')})?$`);
const ID = /^[\da-f]{32}$/;
/** Characters of a strange name in the log. */
const MAX_NAME = 100;

/** A quarantined file of an earlier process. */
export interface Recovered {
  readonly id: string;
  readonly side: SideFile;
  readonly record: Quarantined;
}

/**
 * Reads which quarantined files an earlier process has left, and removes all else from the folder.
 *
 * @throws the error of the disk where the folder cannot be read; everything else is logged
 */
export async function recover(disk: Disk, masterKey: Uint8Array, log: Log): Promise<Recovered[]> {
  const names = await readdir(disk.folder);
  const kept = new Set<string>([KEY_FILE]);
  const found: Recovered[] = [];
  for (const name of names) {
    if (!name.endsWith(SIDE_FILE)) continue;
    const id = name.slice(0, -SIDE_FILE.length);
    try {
      found.push(await quarantined(disk, masterKey, id));
      kept.add(id).add(name);
    } catch (thrown) {
      log.warn('a quarantined file is damaged and is removed', { id: id.slice(0, MAX_NAME), error: String(thrown) });
    }
  }
  const rest = names.filter((name) => !kept.has(name));
  for (const name of rest) await removed(disk, name, log);
  const leftovers = rest.filter((name) => LEFTOVER.test(name)).length;
  if (leftovers > 0) log.info('files of an earlier process were removed', { count: leftovers });
  return found;
}

async function quarantined(disk: Disk, masterKey: Uint8Array, id: string): Promise<Recovered> {
  if (!ID.test(id)) throw new Error('no name of a side file');
  const side = new SideFile(disk, id, masterKey);
  const record = await side.load();
  const size = sealedSize(record.size);
  if (size > 0) await mustBeWhole(disk.path(id), size); // else there is no file of bytes
  side.found();
  disk.found(size, record.facts.person);
  return { id, side, record };
}

async function mustBeWhole(file: string, size: number): Promise<void> {
  const data = await lstat(file);
  if (!data.isFile() || data.size !== size) throw new Error('its bytes are not all there');
}

async function removed(disk: Disk, name: string, log: Log): Promise<void> {
  if (!LEFTOVER.test(name) && !name.endsWith(SIDE_FILE))
    log.warn('a file that is not of the store is removed from its folder', { name: name.slice(0, MAX_NAME) });
  await rm(disk.path(name), { recursive: true, force: true }).catch((thrown: unknown) =>
    log.error('a file could not be removed', { name: name.slice(0, MAX_NAME), error: String(thrown) }),
  );
}
