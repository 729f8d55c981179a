import { createHash, randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { isOpenTo, type RunAs } from '../surrogate/unprivileged.ts';

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
