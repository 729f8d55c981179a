import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'rollup';

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
          {
            matches: ['<all_urls>'],
            js: ['page.js'],
            run_at: 'document_start',
            world: 'ISOLATED',
            all_frames: true,
            match_about_blank: true,
            match_origin_as_fallback: true,
          },
        ],
      };
      const folder = path.join(root, 'dist/extension');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'page.js'), page.code);
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    },
  };
}
