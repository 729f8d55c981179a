import { readFile } from 'node:fs/promises';
import type { BuildOptions, BuildResult, OutputFile, Plugin } from 'esbuild';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { PLUGIN_BASE } from '../../build/base.ts';
import { SHARED_SPECIFIERS } from '../../build/shared-modules.ts';
import { VITRINE_SPECIFIER, vitrineFile } from './vitrine-imports.ts';

/** esbuild's API, loaded by whoever has something to build. */
export type Esbuild = typeof import('esbuild');

/** A half to build. */
interface HalfSource {
  readonly id: string;
  /** Of the plugin. */
  readonly folder: string;
  readonly manifest: string;
  readonly half: string;
}

/** Modules that a half may not import, each with the module to import instead. */
const WRONG: Readonly<Record<'client' | 'page' | 'host', Readonly<Record<string, string>>>> = {
  client: { 'vitrine/page': 'vitrine/core', 'vitrine/host': 'vitrine/core', 'vitrine/testing': 'vitrine/core' },
  page: {
    vitrine: 'vitrine/page',
    'vitrine/core': 'vitrine/page',
    'vitrine/ui': 'vitrine/page',
    'vitrine/host': 'vitrine/page',
    'vitrine/testing': 'vitrine/page',
  },
  host: {
    vitrine: 'vitrine/host',
    'vitrine/core': 'vitrine/host',
    'vitrine/ui': 'vitrine/host',
    'vitrine/page': 'vitrine/host',
    'vitrine/testing': 'vitrine/host',
  },
};
/** Modules that the entry exports as well. They resolve to the entry, so that each realm has one copy of the error class, and of the schemas of manifests none. */
const OF_THE_ENTRY = ['vitrine/manifest', 'vitrine/protocol/message', 'vitrine/protocol/errors'];
/** Specifiers of the shell's import map. */
const CLIENT_ENTRIES = ['vitrine', 'vitrine/core', 'vitrine/ui'];
const ENTRY = 'vitrine-half';

/**
 * Builds a client half as ES modules: the one named `index-{hash}.js` exports `activate` and `protocol`, the others are loaded by it. React, signals and
 * `vitrine/core` stay imports, which the shell's import map resolves; a style sheet becomes a file of its own, its import the address.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildClientHalf(esbuild: Esbuild, source: HalfSource): Promise<OutputFile[]> {
  const entry = `
    import { manifest } from ${JSON.stringify(source.manifest)};
    export { activate } from ${JSON.stringify(source.half)};
    export const protocol = manifest.protocol;`;
  return build(esbuild, source, 'client', {
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    external: [...SHARED_SPECIFIERS],
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.css': 'file' },
    publicPath: `${PLUGIN_BASE}${source.id}`,
    plugins: [
      entryModule(entry, source.folder),
      vitrine('client', (specifier) => ({
        path: CLIENT_ENTRIES.includes(specifier) ? specifier : 'vitrine/core',
        external: true,
      })),
      smallSheets(esbuild),
    ],
  });
}

/**
 * Builds a page half as one script that joins the page halves' world through its global.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildPageHalf(esbuild: Esbuild, source: HalfSource): Promise<string> {
  const entry = `
    import { manifest } from ${JSON.stringify(source.manifest)};
    import { activate } from ${JSON.stringify(source.half)};
    vitrinePage.add({ manifest, activate });`;
  const [script] = await build(esbuild, source, 'page', {
    format: 'iife',
    plugins: [
      entryModule(entry, source.folder),
      vitrine('page', () => ({ path: 'vitrine/page', namespace: 'page-world' })),
      pageWorld,
    ],
  });
  if (!script) throw new AppError('bad-plugin', `${source.folder}: the page half has no code`);
  return script.text;
}

/**
 * Builds a host half, or a service half, by the function it exports, as one ES module that needs nothing beside it but modules of Node: cells cannot read the plugin's folder.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildHostHalf(
  esbuild: Esbuild,
  source: Omit<HalfSource, 'manifest'>,
  exported = 'activate',
): Promise<string> {
  return buildModule(esbuild, source, `export { ${exported} } from ${JSON.stringify(source.half)};`);
}

/**
 * Builds a session half and routes, where the plugin has them, as one such module with the exports of both: what they share is there once.
 *
 * @throws AppError `bad-plugin` naming the folder, the place and the reason.
 */
export async function buildSessionHalf(
  esbuild: Esbuild,
  source: Pick<HalfSource, 'id' | 'folder'>,
  { session, routes }: { readonly session?: string; readonly routes?: string },
): Promise<string> {
  const entry = [
    session !== undefined && `export { activateSession } from ${JSON.stringify(session)};`,
    routes !== undefined && `export * from ${JSON.stringify(routes)};`, // it need not have errors
  ];
  return buildModule(esbuild, source, entry.filter((line) => line !== false).join('\n'));
}

async function buildModule(esbuild: Esbuild, source: Pick<HalfSource, 'folder'>, entry: string): Promise<string> {
  const [module] = await build(esbuild, source, 'host', {
    format: 'esm',
    platform: 'node',
    minify: false,
    target: 'node24',
    plugins: [
      entryModule(entry, source.folder),
      vitrine('host', () => ({ path: 'vitrine/host', namespace: 'host-world' })),
      hostWorld,
    ],
  });
  if (!module) throw new AppError('bad-plugin', `${source.folder}: the host half has no code`);
  return module.text;
}

async function build(
  esbuild: Esbuild,
  { folder }: Pick<HalfSource, 'folder'>,
  half: keyof typeof WRONG,
  options: BuildOptions,
): Promise<OutputFile[]> {
  try {
    const { outputFiles = [] }: BuildResult = await esbuild.build({
      entryPoints: [{ in: ENTRY, out: 'index' }],
      absWorkingDir: folder,
      outdir: folder,
      write: false,
      bundle: true,
      minify: true,
      target: 'es2022',
      platform: 'browser',
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      tsconfigRaw: {},
      logLevel: 'silent',
      ...options,
    });
    return outputFiles;
  } catch (thrown) {
    throw new AppError('bad-plugin', `${folder}: the ${half} half cannot be built: ${reasonOf(thrown)}`, {
      cause: thrown,
    });
  }
}

function reasonOf(thrown: unknown): string {
  const [first] = (thrown as Partial<import('esbuild').BuildFailure>).errors ?? [];
  if (!first) return toAppError(thrown).message;
  const { text, location } = first;
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

function entryModule(contents: string, resolveDir: string): Plugin {
  return {
    name: 'entry',
    setup(setup) {
      setup.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: ENTRY, namespace: ENTRY }));
      setup.onLoad({ filter: /.*/, namespace: ENTRY }, () => ({ contents, resolveDir, loader: 'js' }));
    },
  };
}

/** `vitrine/...` is what this host has, never a copy of the plugin's own. */
function vitrine(half: keyof typeof WRONG, entry: (specifier: string) => { path: string }): Plugin {
  const entries = half === 'client' ? CLIENT_ENTRIES : [`vitrine/${half}`];
  return {
    name: 'vitrine',
    setup(setup) {
      setup.onResolve({ filter: VITRINE_SPECIFIER }, ({ path: specifier }) => {
        const right = WRONG[half][specifier];
        if (right !== undefined) return { errors: [{ text: `a ${half} half imports ${right}, not ${specifier}` }] };
        if (entries.includes(specifier) || OF_THE_ENTRY.includes(specifier)) return entry(specifier);
        try {
          return { path: vitrineFile(specifier), sideEffects: false };
        } catch {
          return { errors: [{ text: `there is no ${specifier}` }] };
        }
      });
    },
  };
}

const pageWorld: Plugin = {
  name: 'page-world',
  setup(setup) {
    setup.onLoad({ filter: /.*/, namespace: 'page-world' }, () => ({
      contents: 'module.exports = vitrinePage.entry;',
      loader: 'js',
    }));
  },
};

const hostWorld: Plugin = {
  name: 'host-world',
  setup(setup) {
    setup.onLoad({ filter: /.*/, namespace: 'host-world' }, () => ({
      contents: 'module.exports = globalThis.vitrineHost;',
      loader: 'js',
    }));
  },
};

/** Sheets are minified before they are named by their content. */
function smallSheets(esbuild: Esbuild): Plugin {
  return {
    name: 'small-sheets',
    setup(setup) {
      setup.onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
        const { code } = await esbuild.transform(await readFile(file, 'utf8'), { loader: 'css', minify: true });
        return { contents: code, loader: 'file' };
      });
    },
  };
}
