import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import type { ClientManifestFile } from '../build/client-manifest.ts';
import { CLIENT_BASE } from '../build/base.ts';
import { AppError } from '../../core/protocol/errors.ts';

/** Files of the build under `dist`. */
export interface Assets {
  readonly clientDir: string;
  readonly extensionDir: string;
  /** Address of the boot module. */
  readonly entry: string;
  /** Addresses to preload: the boot module's static imports. */
  readonly preload: readonly string[];
  /** Addresses of the client halves of these plugins, with what they import statically. */
  halvesOf(plugins: readonly string[]): readonly string[];
  /** Address of the style sheet `name.css`, if the build has one. */
  style(name: string): string | undefined;
  /** Address of the entry `name`, if the build has one. */
  script(name: string): string | undefined;
  /** The static import map as JSON, and its source expression for the content security policy. */
  readonly importMap: string;
  readonly importMapHash: string;
  /** Plugins that the build has left out. */
  readonly without: readonly string[];
  /** Identifies this build to clients. */
  readonly buildId: string;
}

/** Reads the build. @throws AppError `not-built`. */
export async function loadAssets(distDir: string): Promise<Assets> {
  const clientDir = path.join(distDir, 'client');
  let text: string;
  try {
    text = await readFile(path.join(clientDir, 'manifest.json'), 'utf8');
  } catch (cause) {
    throw new AppError('not-built', 'the client has not been built: run `npm run build`', { cause });
  }
  const manifest = JSON.parse(text) as ClientManifestFile; // written by our own build
  const importMap = JSON.stringify(manifest.importMap);
  const named = (pattern: RegExp): string | undefined => {
    const file = Object.keys(manifest.files).find((name) => pattern.test(name));
    return file && CLIENT_BASE + file;
  };
  return {
    clientDir,
    extensionDir: path.join(distDir, 'extension'),
    entry: CLIENT_BASE + manifest.entry,
    preload: importsOf(manifest, [manifest.entry]),
    halvesOf: (plugins) => {
      const files = plugins.flatMap((id) => manifest.chunks[id]?.file ?? []);
      return [...files.map((name) => CLIENT_BASE + name), ...importsOf(manifest, files)];
    },
    style: (name) => named(new RegExp(`^assets/${name}-[\\w-]+\\.css$`)),
    script: (name) => named(new RegExp(`^${name}-[\\w-]+\\.js$`)),
    importMap,
    importMapHash: `'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    without: manifest.without,
    buildId: createHash('sha256').update(text).digest('hex').slice(0, 16),
  };
}

/** Addresses of what these files of the build import statically, directly or not. */
function importsOf({ files }: ClientManifestFile, of: readonly string[]): string[] {
  const found = new Set(of);
  for (const name of found) for (const other of files[name]?.imports ?? []) if (other in files) found.add(other);
  return [...found].filter((name) => !of.includes(name)).map((name) => CLIENT_BASE + name);
}
