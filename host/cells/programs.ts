import { createHash, randomUUID } from 'node:crypto';
import { openSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { copyFolders } from '../surrogate/folder-copy.ts';
import { isOpenTo, type RunAs } from '../surrogate/unprivileged.ts';
import type { DecoderPackages } from './control-messages.ts';

/** The program of cells, readable by their users. */
export interface CellProgram {
  /** Path of Node. */
  readonly node: string;
  /** Path of the program. */
  readonly entry: string;
  /** Open file of Node where cells cannot read its path: cells get it as descriptor 4. */
  readonly openNode?: number;
}

/**
 * Makes Node and the cells' program readable by a cell's user: a program in one file is copied, once per content; Node
 * is opened.
 *
 * @param folder folder of the copy; cells may read it.
 * @throws AppError `launcher-failed` when the program is TypeScript, which imports other files, and cells cannot read
 * it.
 */
export async function cellProgram(entry: string, folder: string, user: RunAs | undefined): Promise<CellProgram> {
  const node = process.execPath;
  const reached = isOpenTo(entry, user, 'read') ? entry : await copyProgram(entry, folder);
  if (isOpenTo(node, user, 'read')) return { node, entry: reached };
  return { node: '/proc/self/fd/4', entry: reached, openNode: openSync(node, 'r') };
}

async function copyProgram(entry: string, folder: string): Promise<string> {
  if (entry.endsWith('.ts'))
    throw new AppError('launcher-failed', `The users of cells cannot read ${entry} or its imports.`);
  const body = await readFile(entry);
  const target = path.join(folder, `${createHash('sha256').update(body).digest('hex').slice(0, 32)}.mjs`);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const draft = path.join(folder, `.${randomUUID()}`);
  await writeFile(draft, body, { flag: 'wx' });
  await chmod(draft, 0o644);
  await rename(draft, target);
  return target;
}

/**
 * Makes the packages of decoders readable by a decoder's user: where it cannot read a file of them, all are copied, once
 * per content.
 *
 * @param folder folder of the copy; decoders may read it.
 * @returns the modules that decoders import, by the name of their package.
 */
export async function decoderModules(
  packages: DecoderPackages | undefined,
  folder: string,
  user: RunAs | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (!packages) return {};
  const { entries, folders } = packages;
  if (Object.values(folders).every((each) => isTreeOpenTo(each, user))) return entries;
  const at = (name: string): string => path.join('node_modules', name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const sources = Object.fromEntries(Object.entries(folders).map(([name, source]) => [at(name), source]));
  const copy = await copyFolders(sources, folder);
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      path.join(copy, at(name), path.relative(folders[name] ?? '', entry)),
    ]),
  );
}

function isTreeOpenTo(folder: string, user: RunAs | undefined): boolean {
  return (
    isOpenTo(folder, user, 'search') &&
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .every((entry) => isOpenTo(path.join(entry.parentPath, entry.name), user, entry.isFile() ? 'read' : 'search'))
  );
}
