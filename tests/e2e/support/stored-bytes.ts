import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Bytes of all files in the store of a host whose data are in `data` below the folder. */
export function storedBytes(folder: string): number {
  const store = path.join(folder, 'data/services/files');
  const names = existsSync(store) ? readdirSync(store).filter((name) => /^[\da-f]{32}/.test(name)) : [];
  return names.reduce((sum, name) => sum + (statSync(path.join(store, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
