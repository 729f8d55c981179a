import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { PLUGIN_BASE } from '../../build/base.ts';
import { assembleExtension } from './extension.ts';
import { buildClientHalf, buildPageHalf } from './half-build.ts';
import type { Esbuild } from './half-build.ts';
import { sourceFile } from './source-file.ts';

/** A file of a client half as it is served. */
export interface PluginFile {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer;
}

/** Input of the build for one plugin. */
export interface PluginSource {
  readonly manifest: AnyManifest;
  readonly folder: string;
  readonly external: boolean;
}

/** Plugins with what has been built of them. */
export interface BuiltPlugins<P> {
  /** All that were given, in order; those with a client half that was built here have its address. */
  readonly plugins: readonly (P & { readonly module?: string })[];
  /** Files to serve, by address. */
  readonly files: ReadonlyMap<string, PluginFile>;
  /** The extension for surrogates: with the page halves that were built here, if there are any. */
  readonly extensionDir: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const compress = promisify(brotliCompress);

/**
 * Builds the client and page halves of the plugins that are not part of this checkout. `extensionDir` is the built extension, which is
 * copied below `dataDir` where it has to carry more.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildPlugins<P extends PluginSource>(
  plugins: readonly P[],
  { extensionDir, dataDir }: { readonly extensionDir: string; readonly dataDir: string },
): Promise<BuiltPlugins<P>> {
  if (!plugins.some(({ external }) => external)) return { plugins, files: new Map(), extensionDir };
  const esbuild = await import('esbuild');
  const files = new Map<string, PluginFile>();
  const scripts = new Map<string, string>();
  const built: (P & { readonly module?: string })[] = [];
  try {
    for (const plugin of plugins) {
      if (plugin.external) built.push(await build(esbuild, plugin, files, scripts));
      else built.push(plugin);
    }
  } finally {
    await esbuild.stop();
  }
  const extension = scripts.size > 0 ? await assembleExtension(extensionDir, dataDir, scripts) : extensionDir;
  return { plugins: built, files, extensionDir: extension };
}

async function build<P extends PluginSource>(
  esbuild: Esbuild,
  plugin: P,
  files: Map<string, PluginFile>,
  scripts: Map<string, string>,
): Promise<P & { readonly module?: string }> {
  const { folder } = plugin;
  const { id } = plugin.manifest;
  const manifest = sourceFile(folder, 'manifest');
  const [client, page] = [sourceFile(folder, 'client/index'), sourceFile(folder, 'page/index')];
  if (manifest === undefined) return plugin; // it has been read, so it is there
  if (page !== undefined)
    scripts.set(`plugin-${id}.js`, await buildPageHalf(esbuild, { id, folder, manifest, half: page }));
  if (client === undefined) return plugin;
  let module: string | undefined;
  for (const file of await buildClientHalf(esbuild, { id, folder, manifest, half: client })) {
    const address = `${PLUGIN_BASE}${id}/${path.basename(file.path)}`;
    if (/\/index-\w+\.js$/.test(address)) module = address;
    const body = Buffer.from(file.contents);
    const type = TYPES[path.extname(file.path)] ?? 'application/octet-stream';
    files.set(address, { type, body, brotli: await compress(body) });
  }
  return { ...plugin, ...(module !== undefined && { module }) };
}
