import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { isOpenTo, type RunAs } from './unprivileged.ts';

/** Folders of surrogates on disk. */
export interface SurrogateFolders {
  /** The host's records of its surrogates. Surrogates have no access: a sweep trusts them. */
  readonly records: string;
  /** One folder per running surrogate. */
  readonly profiles: string;
  /** Copies of extensions, by content hash. */
  readonly extensions: string;
}

/**
 * Creates the folders under `dataDir`. If surrogates cannot read that (below /root), profiles and extensions go to a
 * folder of the host's own in the system's temporary one, always the same for one `dataDir`.
 *
 * @throws AppError `surrogate-launch-failed` when another user made that folder.
 */
export function surrogateFolders(dataDir: string, user: RunAs | undefined): SurrogateFolders {
  const home = path.resolve(dataDir, 'surrogates');
  makeFolder(home, 0o711);
  const records = path.join(home, 'records');
  makeFolder(records, 0o700);
  const shared = isOpenTo(home, user, 'search') ? home : temporaryHome(home);
  const profiles = path.join(shared, 'profiles');
  const extensions = path.join(shared, 'extensions');
  makeFolder(profiles, 0o711);
  makeFolder(extensions, 0o755);
  return { records, profiles, extensions };
}

function makeFolder(folder: string, mode: number): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode); // independent of the umask
}

function temporaryHome(home: string): string {
  const folder = path.join(os.tmpdir(), `vitrine-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  // Another user may have created a folder of that name first, or a link.
  const { uid, mode } = lstatSync(folder);
  if ((mode & 0o170000) !== 0o040000 || uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new AppError(
      'surrogate-launch-failed',
      `${folder} was not created by this host; remove it or choose another --data.`,
    );
  }
  chmodSync(folder, 0o711);
  return folder;
}
