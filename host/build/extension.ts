import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rollup';
import { parseManifest } from '../../core/contracts/manifest.ts';
import { pluginFolders } from './plugin-registry.ts';

/** Content-script options: in every frame, before the page's own scripts. */
const EVERYWHERE = {
  matches: ['<all_urls>'],
  run_at: 'document_start',
  all_frames: true,
  match_about_blank: true,
  match_origin_as_fallback: true,
};

/**
 * Adds another script of the extension beside the page bundle: `main.js`, all main halves, runs after it in the page's
 * own world; `worker.js`, all extension halves, is the service worker.
 */
export function extensionScript(root: string, name: 'main.js' | 'worker.js'): Plugin {
  return {
    name: 'extension-script',
    async writeBundle(_options, bundle) {
      const [script] = Object.values(bundle);
      if (script?.type !== 'chunk') throw new Error(`${name} has no code.`);
      const folder = path.join(root, 'dist/extension');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, name), script.code);
    },
  };
}

/** The service worker with the permissions that extension halves declare; none where there are no such halves. */
async function workerOf(root: string): Promise<object> {
  const folders = pluginFolders(root).filter(({ extension: half }) => half !== undefined);
  const permissions = await Promise.all(
    folders.map(async ({ manifest: file }) => {
      const { manifest } = (await import(pathToFileURL(file).href)) as { readonly manifest: unknown };
      return parseManifest(manifest).permissions?.extension ?? [];
    }),
  );
  if (folders.length === 0) return {};
  const all = [...new Set(permissions.flat())];
  return {
    permissions: all,
    // Of requests that no host permission covers, an extension hears nothing.
    ...(all.includes('webRequest') && { host_permissions: ['<all_urls>'] }),
    background: { service_worker: 'worker.js' },
  };
}

/** The styles of all page halves, `page/page.css`. No script of a page, and so no mirror of it, finds the sheet. */
async function stylesOf(root: string): Promise<string> {
  const files = pluginFolders(root).flatMap(({ page }) =>
    page === undefined ? [] : path.join(path.dirname(page), 'page.css'),
  );
  const sheets = await Promise.all(files.filter((file) => existsSync(file)).map((file) => readFile(file, 'utf8')));
  return sheets.join('');
}

/**
 * Writes the built page bundle into `dist/extension`, the extension that carries it into every frame of a surrogate.
 */
export function extension(root: string): Plugin {
  return {
    name: 'extension',
    async writeBundle(_options, bundle) {
      const [page] = Object.values(bundle);
      if (page?.type !== 'chunk') throw new Error('The page bundle has no code.');
      const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
      const manifest = {
        manifest_version: 3,
        name: 'vitrine',
        version,
        ...(await workerOf(root)),
        content_scripts: [
          { ...EVERYWHERE, js: ['page.js'], css: ['page.css'], world: 'ISOLATED' },
          { ...EVERYWHERE, js: ['main.js'], world: 'MAIN' },
        ],
      };
      const folder = path.join(root, 'dist/extension');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'page.js'), page.code);
      await writeFile(path.join(folder, 'page.css'), await stylesOf(root));
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    },
  };
}
