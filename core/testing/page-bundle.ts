import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Bundles what runs in pages, with the page half of one plugin of this checkout alone. */
export async function bundlePage(plugin: string): Promise<string> {
  const folder = path.join(root, 'plugins', plugin);
  const registry = `
    import { manifest } from ${JSON.stringify(path.join(folder, 'manifest.ts'))};
    import { activate } from ${JSON.stringify(path.join(folder, 'page/index.ts'))};
    export const registry = [{ manifest, activate }];`;
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'core/page-entry.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    plugins: [
      {
        name: 'page-registry',
        setup(setup) {
          setup.onResolve({ filter: /^virtual:page-registry$/ }, ({ path: name }) => ({
            path: name,
            namespace: 'page',
          }));
          setup.onLoad({ filter: /.*/, namespace: 'page' }, () => ({
            contents: registry,
            resolveDir: root,
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
