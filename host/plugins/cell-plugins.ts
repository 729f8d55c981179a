import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { ActivateHost } from '../contracts/host-scope.ts';
import type { RouteErrors, Routes } from '../contracts/routes.ts';
import type { ActivateService } from '../contracts/service-scope.ts';
import type { ActivateSession } from '../contracts/session-scope.ts';
import type { RegisteredPlugin } from './registry.ts';
import { manifestFrom } from './external-manifest.ts';
import { readSchema } from './threads/read-plugin.ts';
import { threadedHalf } from './threads/threaded-half.ts';
import { threadedSession } from './threads/threaded-session.ts';

/** Largest built host half, in UTF-16 units. */
const MAX_HALF_UNITS = 16 * 1024 * 1024;

/** A plugin from outside the build as a cell is given it. */
export const cellPluginSchema = v.object({
  folder: v.pipe(v.string(), v.maxLength(4096)),
  read: readSchema,
  module: v.exactOptional(v.pipe(v.string(), v.maxLength(1000))),
  /** Its built host half, where it has one. */
  host: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_HALF_UNITS))),
  /** Its built session half and routes, where it has one of them. */
  session: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_HALF_UNITS))),
  /** Whether there is a session half in that. */
  hasSessionHalf: v.exactOptional(v.boolean()),
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
  const external = given.map((plugin, index) => externalPlugin(plugin, folder, `plugin-${index}`));
  return [...own, ...(await Promise.all(external))];
}

/**
 * A plugin from outside the build. Its halves are written to files in `folder`, whose names begin with `prefix`, and run there: the cell
 * cannot read the folder of the plugin, which only names it.
 */
async function externalPlugin(
  { folder: name, read, module, host, session, hasSessionHalf = false }: CellPlugin,
  folder: string,
  prefix: string,
): Promise<RegisteredPlugin> {
  const manifest = manifestFrom(read, name);
  const write = async (suffix: string, half: string | undefined): Promise<string | undefined> => {
    if (half === undefined) return undefined;
    const file = path.join(folder, `${prefix}${suffix}.mjs`);
    await writeFile(file, half, { mode: 0o600 });
    return file;
  };
  const [hostFile, file] = [await write('', host), await write('-session', session)];
  const files = file !== undefined && {
    ...(hasSessionHalf && { session: file }),
    ...(manifest.routes && { routes: file }),
  };
  return {
    manifest,
    folder: name,
    external: true,
    ...(module !== undefined && { module }),
    ...(hostFile !== undefined && { activate: threadedHalf(folder, hostFile, manifest) }),
    ...(files && { activateSession: threadedSession(folder, files, manifest) }),
  };
}
