import { globSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin, PluginContext } from 'rollup';
import { CLIENT_BASE } from './base.ts';

/**
 * `import url from './bar.css'` emits the sheet, minified and named by its content hash, and exports its address. The
 * sheets of core are emitted even if nothing imports them: the host puts them into the documents that it serves. What a sheet imports is
 * part of it: tokens are written once, and no sheet waits for another.
 */
export function styles(root: string): Plugin {
  const emitted = new Map<string, Promise<string>>();
  const emit = async (context: PluginContext, id: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [id],
      bundle: true,
      write: false,
      minify: true,
      target: 'es2022',
    });
    const code = outputFiles[0]?.text ?? '';
    const [, plugin] = /^plugins\/([^/]+)\//.exec(path.relative(root, id)) ?? [];
    const name = plugin === undefined ? path.basename(id) : `${plugin}.${path.basename(id)}`;
    return context.emitFile({ type: 'asset', name, source: code, originalFileName: id });
  };
  const referenceOf = (context: PluginContext, id: string): Promise<string> => {
    const reference = emitted.get(id) ?? emit(context, id);
    emitted.set(id, reference);
    return reference;
  };
  return {
    name: 'styles',
    async buildStart() {
      emitted.clear();
      const sheets = globSync('core/**/*.css', { cwd: root }).map((file) => path.join(root, file));
      await Promise.all(sheets.map((sheet) => referenceOf(this, sheet)));
    },
    async load(id) {
      if (!id.endsWith('.css')) return null;
      const reference = await referenceOf(this, id);
      return { code: `export default import.meta.ROLLUP_FILE_URL_${reference};`, moduleSideEffects: false };
    },
    resolveFileUrl: ({ fileName }) => JSON.stringify(CLIENT_BASE + fileName),
  };
}
