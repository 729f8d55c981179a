import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import type { Plugin } from 'rollup';
import { CLIENT_BASE } from './base.ts';

/** `import url from './bar.css'` emits the sheet, minified and named by its content, and gives its address. */
export function styles(root: string): Plugin {
  return {
    name: 'styles',
    async load(id) {
      if (!id.endsWith('.css')) return null;
      const { code } = await transform(await readFile(id, 'utf8'), { loader: 'css', minify: true, target: 'es2022' });
      const [, plugin] = /^plugins\/([^/]+)\//.exec(path.relative(root, id)) ?? [];
      const name = plugin === undefined ? path.basename(id) : `${plugin}.${path.basename(id)}`;
      const reference = this.emitFile({ type: 'asset', name, source: code, originalFileName: id });
      return { code: `export default import.meta.ROLLUP_FILE_URL_${reference};`, moduleSideEffects: false };
    },
    resolveFileUrl: ({ fileName }) => JSON.stringify(CLIENT_BASE + fileName),
  };
}
