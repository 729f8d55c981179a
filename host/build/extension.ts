import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'rollup';

/** Where a script runs: in every frame, before the page's own. */
const EVERYWHERE = {
  matches: ['<all_urls>'],
  run_at: 'document_start',
  all_frames: true,
  match_about_blank: true,
  match_origin_as_fallback: true,
};

/** Lays the built bundle of all main halves beside that of the page halves: it runs after it, in the page's own world. */
export function mainScript(root: string): Plugin {
  return {
    name: 'main-script',
    async writeBundle(_options, bundle) {
      const [main] = Object.values(bundle);
      if (main?.type !== 'chunk') throw new Error('The bundle of main halves has no code.');
      const folder = path.join(root, 'dist/extension');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'main.js'), main.code);
    },
  };
}

/** Lays the built page bundle into `dist/extension`, the extension that carries it into every frame of a surrogate. */
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
        content_scripts: [
          { ...EVERYWHERE, js: ['page.js'], world: 'ISOLATED' },
          { ...EVERYWHERE, js: ['main.js'], world: 'MAIN' },
        ],
      };
      const folder = path.join(root, 'dist/extension');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'page.js'), page.code);
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    },
  };
}
