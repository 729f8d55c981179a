import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { ActivateHost, ActivateService, ActivateSession, RouteErrors, Routes } from '../plugin.ts';
import type { RegisteredPlugin } from './registry.ts';
import { manifestFrom, readSchema } from './threads/read-plugin.ts';
import { threadedHalf } from './threads/threaded-half.ts';

/** Largest built host half, in UTF-16 units. */
const MAX_HALF_UNITS = 16 * 1024 * 1024;

/** A plugin from outside the build as a cell is given it. */
export const cellPluginSchema = v.object({
  folder: v.pipe(v.string(), v.maxLength(4096)),
  read: readSchema,
  module: v.exactOptional(v.pipe(v.string(), v.maxLength(1000))),
  /** Its built host half, where it has one. */
  host: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_HALF_UNITS))),
});
export type CellPlugin = v.InferOutput<typeof cellPluginSchema>;

/** A plugin of the build, as the build lists it. */
export interface BuiltInPlugin {
  readonly manifest: AnyManifest;
  readonly activate?: ActivateHost;
  readonly activateSession?: ActivateSession;
  readonly activateService?: ActivateService;
  readonly routes?: Routes;
  readonly routeErrors?: RouteErrors;
}

/** The plugins of a cell: those of the build less those left out, then those given. Host halves are written into `folder`, the cell's own. */
export async function cellPlugins(
  builtIn: readonly BuiltInPlugin[],
  without: readonly string[],
  given: readonly CellPlugin[],
  folder: string,
): Promise<RegisteredPlugin[]> {
  const own = builtIn
    .filter(({ manifest }) => !without.includes(manifest.id))
    .map((plugin): RegisteredPlugin => ({ ...plugin, folder: plugin.manifest.id, external: false }));
  const external = given.map(async ({ folder: name, read, module, host }, index): Promise<RegisteredPlugin> => {
    const manifest = manifestFrom(read, name);
    const facts = { manifest, folder: name, external: true, ...(module !== undefined && { module }) };
    if (host === undefined) return facts;
    const file = path.join(folder, `plugin-${index}.mjs`);
    await writeFile(file, host, { mode: 0o600 });
    return { ...facts, activate: threadedHalf(folder, file, manifest) };
  });
  return [...own, ...(await Promise.all(external))];
}
