import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Copies an unpacked extension to a folder that surrogates can read, once per content. Chromium ignores an unreadable
 * extension without a report.
 *
 * @returns the copy's folder, `extensions`/{hash of the content}; it is never removed.
 */
export async function copyExtension(source: string, extensions: string): Promise<string> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(source, path.join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  const files: { readonly name: string; readonly body: Buffer }[] = [];
  for (const name of names.sort()) {
    const body = await readFile(path.join(source, name));
    hash.update(`${name}\0${body.length}\0`).update(body);
    files.push({ name, body });
  }
  const target = path.join(extensions, hash.digest('hex').slice(0, 32));
  if (await exists(target)) return target;

  const draft = path.join(extensions, `.${randomUUID()}`);
  for (const { name, body } of files) {
    const file = path.join(draft, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, body);
    await chmod(file, 0o644);
  }
  for (const folder of [
    '',
    ...entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.relative(source, path.join(entry.parentPath, entry.name))),
  ]) {
    await mkdir(path.join(draft, folder), { recursive: true });
    await chmod(path.join(draft, folder), 0o755);
  }
  try {
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(target))) throw error; // else another launch was faster
  }
  return target;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
