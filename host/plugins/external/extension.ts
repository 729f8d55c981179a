import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

interface ExtensionManifest {
  readonly content_scripts: readonly { readonly world: string; readonly js: readonly string[] }[];
}

/**
 * Copies a built extension below `dataDir` and adds scripts to it, by file name, that run after its own in the same world. One content
 * has one folder, which stays.
 *
 * @returns the folder.
 */
export async function assembleExtension(
  source: string,
  dataDir: string,
  scripts: ReadonlyMap<string, string>,
): Promise<string> {
  const manifestFile = await readFile(path.join(source, 'manifest.json'), 'utf8');
  const hash = createHash('sha256').update(manifestFile);
  for (const { js } of (JSON.parse(manifestFile) as ExtensionManifest).content_scripts)
    for (const script of js) hash.update(await readFile(path.join(source, script)));
  for (const [name, script] of scripts) hash.update(`\0${name}\0${script}`);
  const folder = path.join(dataDir, 'extensions', hash.digest('hex').slice(0, 32));
  await mkdir(folder, { recursive: true });
  await cp(source, folder, { recursive: true });
  for (const [name, script] of scripts) await writeFile(path.join(folder, name), script);
  const manifest = JSON.parse(manifestFile) as ExtensionManifest; // written by our own build
  const content_scripts = manifest.content_scripts.map((entry) =>
    entry.world === 'ISOLATED' ? { ...entry, js: [...entry.js, ...scripts.keys()] } : entry,
  );
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ ...manifest, content_scripts }, null, 2));
  return folder;
}
