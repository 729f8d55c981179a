import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { OutputBundle, OutputChunk, Plugin } from 'rollup';
import type { SharedModule } from './shared-modules.ts';
import { CLIENT_BASE } from './base.ts';
import { leftOut } from './plugin-registry.ts';

/** One file under `dist/client`. */
interface BuiltFile {
  readonly bytes: number;
  /** Size at brotli's best level; the compressed file lies beside it with `.br` added. */
  readonly brotli: number;
  /** Files that it imports statically, and bare specifiers of the import map. */
  readonly imports: readonly string[];
  /** Files that it imports on demand, and bare specifiers. */
  readonly dynamicImports: readonly string[];
  /** Whose code it is: a plugin's by name, else `core`, or `package` where nothing in it is ours. */
  readonly owner: string;
}

/** `dist/client/manifest.json`: what the host serves and puts into the shell. File names are relative to `dist/client`. */
export interface ClientManifestFile {
  readonly entry: string;
  readonly importMap: { readonly imports: Readonly<Record<string, string>> };
  /** The client half of each plugin that has one, by the name of its folder. */
  readonly chunks: Readonly<Record<string, { readonly file: string; readonly css?: readonly string[] }>>;
  readonly files: Readonly<Record<string, BuiltFile>>;
  /** Plugins that this build was to leave out, on all sides. */
  readonly without: readonly string[];
}

/** Files of earlier builds stay this long, for hosts that still serve them; not where something is left out, which they may hold. */
const KEEP_MS = 60 * 60 * 1000;

/** The list of client halves, which is part of the boot script (`plugin-registry.ts`). */
const CLIENT_REGISTRY = '\0virtual:plugin-registry';

function brotli(source: string | Uint8Array): Buffer {
  return brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
}

function isChunk(file: OutputBundle[string]): file is OutputChunk {
  return file.type === 'chunk';
}

/** Gathers what the builds of one run put into `dist/client`, and writes its manifest after the last of them. */
export class ClientManifest {
  readonly #folder: string;
  readonly #files: Record<string, BuiltFile> = {};
  readonly #imports: Record<string, string> = {};

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Records the build of a shared package. */
  shared({ specifiers }: SharedModule): Plugin {
    return {
      name: 'client-manifest',
      writeBundle: async (_options, bundle) => {
        await this.#record(bundle);
        for (const { fileName } of Object.values(bundle)) {
          for (const specifier of specifiers) this.#imports[specifier] = CLIENT_BASE + fileName;
        }
      },
    };
  }

  /** Records the build of the client itself, which comes last. */
  client(): Plugin {
    return {
      name: 'client-manifest',
      writeBundle: async (_options, bundle) => {
        await this.#record(bundle);
        const chunks = Object.values(bundle).filter(isChunk);
        const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === 'boot');
        const vitrine = chunks.find((chunk) => chunk.isEntry && chunk.name === 'vitrine');
        const ui = chunks.find((chunk) => chunk.isEntry && chunk.name === 'ui');
        if (!entry || !vitrine || !ui) throw new Error('The client was built without its entries.');
        for (const name of ['vitrine', 'vitrine/core']) this.#imports[name] = CLIENT_BASE + vitrine.fileName;
        this.#imports['vitrine/ui'] = CLIENT_BASE + ui.fileName;
        await this.#write({
          entry: entry.fileName,
          importMap: { imports: this.#imports },
          chunks: Object.fromEntries(chunks.flatMap(pluginChunk)),
          files: this.#files,
          without: leftOut(),
        });
      },
    };
  }

  async #record(bundle: OutputBundle): Promise<void> {
    for (const file of Object.values(bundle)) {
      const source = isChunk(file) ? file.code : file.source;
      const compressed = brotli(source);
      await writeFile(path.join(this.#folder, `${file.fileName}.br`), compressed);
      this.#files[file.fileName] = {
        bytes: Buffer.byteLength(source),
        brotli: compressed.byteLength,
        imports: isChunk(file) ? file.imports : [],
        dynamicImports: isChunk(file) ? file.dynamicImports : [],
        owner: ownerOf(file),
      };
    }
  }

  /** The manifest is replaced in one step, and older files go later: a host that runs on them is not disturbed. Of what is left out nothing stays. */
  async #write(manifest: ClientManifestFile): Promise<void> {
    const file = path.join(this.#folder, 'manifest.json');
    await writeFile(`${file}.new`, JSON.stringify(manifest, null, 2));
    await rename(`${file}.new`, file);
    const keepMs = manifest.without.length > 0 ? 0 : KEEP_MS;
    for (const name of await readdir(this.#folder, { recursive: true })) {
      const full = path.join(this.#folder, name);
      const { mtimeMs } = await stat(full);
      const isCurrent = name === 'manifest.json' || name.replace(/\.br$/, '') in manifest.files;
      if (!isCurrent && /\.\w+$/.test(name) && Date.now() - mtimeMs >= keepMs) await rm(full, { force: true });
    }
  }
}

function ownerOf(file: OutputBundle[string]): string {
  const sources = isChunk(file)
    ? file.facadeModuleId
      ? [file.facadeModuleId]
      : file.moduleIds
    : file.originalFileNames;
  const ours = sources
    .map((id) => /\/(?:plugins\/([^/]+)|core)\/(?!.*node_modules)/.exec(id))
    .filter((m) => m !== null);
  return ours.find(([, plugin]) => plugin !== undefined)?.[1] ?? (ours.length > 0 ? 'core' : 'package');
}

/**
 * The plugin whose client half begins in a chunk of these modules. Its name is not to be had from the chunk's facade: a
 * half that shares code with a lazy part of its own has none.
 */
export function pluginOf(moduleIds: readonly string[]): string | undefined {
  if (moduleIds.includes(CLIENT_REGISTRY)) return undefined; // the boot script, halves in it included
  return moduleIds.map((id) => /\/plugins\/([^/]+)\/client\/index\.tsx?$/.exec(id)?.[1]).find(Boolean);
}

function pluginChunk(chunk: OutputChunk): [string, { file: string; css?: string[] }][] {
  const plugin = pluginOf(chunk.moduleIds);
  if (plugin === undefined) return [];
  const css = chunk.referencedFiles.filter((name) => name.endsWith('.css'));
  return [[plugin, { file: chunk.fileName, ...(css.length > 0 && { css }) }]];
}
