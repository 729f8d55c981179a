import path from 'node:path';
import commonjsPlugin from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replacePlugin from '@rollup/plugin-replace';
import esbuild, { minify } from 'rollup-plugin-esbuild';
import type { OutputOptions, Plugin, PreRenderedChunk, RollupOptions } from 'rollup';
import { extension, extensionScript } from './host/build/extension.ts';
import { ClientManifest, pluginOf } from './host/build/client-manifest.ts';
import { checkLeftOut } from './host/build/left-out.ts';
import { pluginRegistry } from './host/build/plugin-registry.ts';
import { SHARED, SHARED_SPECIFIERS, sharedModule } from './host/build/shared-modules.ts';
import { smaller } from './host/build/smaller.ts';
import { styles } from './host/build/styles.ts';
import { tapableWithoutCompiler } from './host/build/tapable.ts';

// The names that React exports are read by requiring it here: they must be those of its production build.
process.env.NODE_ENV = 'production';

// Their declarations describe the CommonJS build; what is imported is the ES module, whose default is the function.
const commonjs = commonjsPlugin as unknown as typeof commonjsPlugin.default;
const replace = replacePlugin as unknown as typeof replacePlugin.default;

const root = import.meta.dirname;
const BOOT = path.join(root, 'core/boot.ts');
const VITRINE = path.join(root, 'core/index.ts');
const UI = path.join(root, 'core/ui.ts');
const PORTAL = path.join(root, 'core/portal.ts');
const COF = path.join(root, 'core/cof.ts');
const PAGE = path.join(root, 'core/page-entry.ts');
const MAIN = path.join(root, 'core/main-entry.ts');
const CELL = path.join(root, 'host/cell/main.ts');
const LAUNCHER = path.join(root, 'host/cells/launcher-main.ts');
const EXTENSION = path.join(root, 'core/extension-entry.ts');
const clientDir = path.join(root, 'dist/client');

/** Texts of errors and warnings of tapable for uses that types forbid here: part of the first script. */
const TAPABLE_TEXTS = {
  'Hook.context is deprecated and will be removed': 'context',
  'tapAsync is not supported on a SyncHook': 'tapAsync',
  'tapPromise is not supported on a SyncHook': 'tapPromise',
  'Abstract: should be overridden': 'abstract',
  'Invalid tap options': 'options',
  'Missing name for tap': 'name',
};

const compile = (): Plugin[] => [
  nodeResolve({ browser: true, extensions: ['.mjs', '.js', '.ts', '.tsx'] }),
  replace({ preventAssignment: true, include: '**/tapable/**', delimiters: ['', ''], values: TAPABLE_TEXTS }),
  replace({ preventAssignment: true, values: { 'process.env.NODE_ENV': '"production"' } }),
  esbuild({ tsconfig: false, target: 'es2022', jsx: 'automatic' }),
  commonjs({ esmExternals: true }),
];

/** Seven of 36 characters, the fewest that Rollup takes for this many chunks: the names are part of the first document, where they do not compress. */
const HASH = '[hash:7]';

const output: OutputOptions = {
  hashCharacters: 'base36',
  generatedCode: 'es2015',
  plugins: [minify({ target: 'es2022', legalComments: 'none' }), smaller()],
};

/** Modules of ours register nothing by being imported: only an entry may have effects. Packages say it themselves. */
const treeshake = (...entries: readonly string[]): RollupOptions['treeshake'] => ({
  moduleSideEffects: (id, external) => !external && (entries.includes(id) || !isOurs(id)),
});

function isOurs(id: string): boolean {
  return id.startsWith(`${root}${path.sep}`) && !id.includes('node_modules');
}

/** Fails the build of modules that a browser could not load. */
const onLog: RollupOptions['onLog'] = (level, log, handle) => {
  handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
};

/** The chunk of `plugins/find/client/index.tsx` becomes `find`, other chunks of a plugin `find.bar`. */
function chunkName({ moduleIds, facadeModuleId, name }: PreRenderedChunk): string {
  const [, part] = /\/plugins\/([^/]+)\/client\//.exec(facadeModuleId ?? '') ?? [];
  return pluginOf(moduleIds) ?? (part === undefined ? name : `${part}.${name}`);
}

function sharedBuilds(manifest: ClientManifest): RollupOptions[] {
  return SHARED.map((shared) => ({
    input: { [shared.file]: `shared:${shared.file}` },
    plugins: [sharedModule(shared), ...compile(), manifest.shared(shared)],
    output: { ...output, dir: clientDir, entryFileNames: `shared/[name]-${HASH}.js` },
  }));
}

/**
 * Modules that the start of a session shares with other entries and plugins: one chunk, not one for each set of users. Each chunk is a request
 * before the first view, and over HTTP/1.1 a browser has six of them in flight.
 */
const CONTRACTS =
  /^core\/(?:contracts\/.*|protocol\/(?:application-link|message)|session\/shell\/(?:cookies|frame-role))\.ts$/;

function clientBuild(manifest: ClientManifest): RollupOptions {
  return {
    input: { boot: BOOT, vitrine: VITRINE, ui: UI, portal: PORTAL, cof: COF },
    external: [...SHARED_SPECIFIERS],
    onLog,
    treeshake: treeshake(BOOT, PORTAL, COF),
    plugins: [tapableWithoutCompiler(), pluginRegistry(root), styles(root), ...compile(), manifest.client()],
    output: {
      ...output,
      dir: clientDir,
      entryFileNames: `[name]-${HASH}.js`,
      chunkFileNames: (chunk) => `${chunkName(chunk)}-${HASH}.js`,
      manualChunks: (id) => (CONTRACTS.test(path.relative(root, id)) ? 'contracts' : undefined),
      assetFileNames: `assets/[name]-${HASH}[extname]`,
    },
  };
}

function pageBuild(): RollupOptions {
  return {
    input: PAGE,
    onLog,
    treeshake: treeshake(PAGE),
    plugins: [tapableWithoutCompiler(), pluginRegistry(root), ...compile(), extension(root)],
    output: { ...output, format: 'iife', file: path.join(root, 'dist/page/page.js') },
  };
}

function scriptBuild(input: string, name: 'main.js' | 'worker.js'): RollupOptions {
  return {
    input,
    onLog,
    treeshake: treeshake(input),
    plugins: [pluginRegistry(root), ...compile(), extensionScript(root, name)],
    output: { ...output, format: 'iife', file: path.join(root, 'dist/page', name) },
  };
}

/** A program for Node in one file: whoever runs it may be unable to read the checkout. */
function programBuild(input: string, name: string): RollupOptions {
  return {
    input,
    onLog,
    external: [/^node:/],
    plugins: [
      pluginRegistry(root),
      nodeResolve({ exportConditions: ['node'], extensions: ['.mjs', '.js', '.ts'], preferBuiltins: true }),
      esbuild({ tsconfig: false, target: 'node24' }),
      commonjs({ esmExternals: true }),
    ],
    output: { format: 'es', file: path.join(root, 'dist/host', name), inlineDynamicImports: true },
  };
}

export default async (): Promise<RollupOptions[]> => {
  try {
    await checkLeftOut(root);
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exit(1); // Rollup would print its own stack beside it
  }
  const manifest = new ClientManifest(clientDir);
  return [
    ...sharedBuilds(manifest),
    clientBuild(manifest),
    scriptBuild(MAIN, 'main.js'),
    scriptBuild(EXTENSION, 'worker.js'),
    pageBuild(),
    programBuild(CELL, 'cell.mjs'),
    programBuild(LAUNCHER, 'launcher.mjs'),
  ];
};
