import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messagesOf } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import type { AnyMessage } from '../../core/protocol/message.ts';
import { PAGE_MESSAGES } from '../../core/protocol/page-messages.ts';

export const HALVES = ['client', 'host', 'page', 'main', 'extension'] as const;
export type Half = (typeof HALVES)[number];

/** A plugin as it lies in this repository. */
interface PluginFolder {
  readonly id: string;
  readonly folder: string;
  readonly manifest: AnyManifest;
  readonly messages: readonly AnyMessage[];
  /** The entries of the halves that it has. */
  readonly halves: Readonly<Partial<Record<Half, string>>>;
}

const parent = path.resolve(import.meta.dirname, '../../plugins');

async function read(id: string): Promise<PluginFolder> {
  const folder = path.join(parent, id);
  const { manifest } = (await import(pathToFileURL(path.join(folder, 'manifest.ts')).href)) as {
    manifest: AnyManifest;
  };
  const entries = HALVES.flatMap((half) => {
    const entry = ['index.ts', 'index.tsx']
      .map((name) => path.join(folder, half, name))
      .find((file) => existsSync(file));
    return entry === undefined ? [] : [[half, entry] as const];
  });
  return { id, folder, manifest, messages: messagesOf(manifest), halves: Object.fromEntries(entries) };
}

/** All plugins of this repository; a folder without a manifest is none yet. */
export const PLUGINS: readonly PluginFolder[] = await Promise.all(
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(parent, entry.name, 'manifest.ts')))
    .map(({ name }) => read(name)),
);

/** All messages there are, by who declares them. */
export const ALL_MESSAGES: readonly (readonly [owner: string, AnyMessage])[] = [
  ...CORE_MESSAGES.map((message) => ['core', message as unknown as AnyMessage] as const), // only looked at
  ...PAGE_MESSAGES.map((message) => ['core', message as unknown as AnyMessage] as const),
  ...PLUGINS.flatMap(({ id, messages }) => messages.map((message) => [id, message] as const)),
];
