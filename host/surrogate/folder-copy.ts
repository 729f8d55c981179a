import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Copies folders to one that other users can read, once per content.
 *
 * @param sources folders by the path of their copy within it; empty: the folder itself.
 * @returns the copy: `target`/{hash of the content}; it is never removed.
 */
export async function copyFolders(sources: Readonly<Record<string, string>>, target: string): Promise<string> {
  const hash = createHash('sha256');
  const files: { readonly name: string; readonly body: Buffer }[] = [];
  const folders: string[] = [''];
  for (const [prefix, source] of Object.entries(sources).sort()) {
    for (const at of parents(prefix)) folders.push(at);
    const entries = await readdir(source, { recursive: true, withFileTypes: true });
    const names = (isWanted: (entry: (typeof entries)[number]) => boolean): string[] =>
      entries.filter(isWanted).map((entry) => path.relative(source, path.join(entry.parentPath, entry.name)));
    for (const name of names((entry) => entry.isFile()).sort()) {
      const body = await readFile(path.join(source, name));
      const own = path.join(prefix, name);
      hash.update(`${own}\0${body.length}\0`).update(body);
      files.push({ name: own, body });
    }
    for (const name of names((entry) => entry.isDirectory())) folders.push(path.join(prefix, name));
  }
  const copy = path.join(target, hash.digest('hex').slice(0, 32));
  if (await exists(copy)) return copy;

  const draft = path.join(target, `.${randomUUID()}`);
  for (const folder of folders) {
    await mkdir(path.join(draft, folder), { recursive: true });
    await chmod(path.join(draft, folder), 0o755);
  }
  for (const { name, body } of files) {
    const file = path.join(draft, name);
    await writeFile(file, body);
    await chmod(file, 0o644);
  }
  try {
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(copy))) throw error; // else another launch was faster
  }
  return copy;
}

/** A relative path and those above it, the shortest first. */
function parents(folder: string): string[] {
  if (folder === '' || folder === '.') return [];
  return [...parents(path.dirname(folder)), folder];
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
