import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { parseManifest } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { sourceFile } from './external/source-file.ts';
import type { ActivateHost, HostScope } from '../contracts/host-scope.ts';
import type { RouteErrors, Routes } from '../contracts/routes.ts';
import type { ActivateService } from '../contracts/service-scope.ts';
import type { ActivateSession, SessionScope } from '../contracts/session-scope.ts';
import { manifestFrom } from './external-manifest.ts';
import { checkRecorded } from '../declared/recorded.ts';
import { HALVES } from './halves.ts';
import { checkLaunch } from './launch.ts';
import { declaredOptions } from '../declared/options.ts';
import type { DeclaredOption } from '../declared/options.ts';
import { checkRouteNames, checkRoutes } from './route-checks.ts';
import { checkHalf, readPlugin, readRoutes } from './threads/read-plugin.ts';
import type { CheckedPlugin } from './threads/read-plugin.ts';
import { threadedHalf } from './threads/threaded-half.ts';
import type { HalfListener } from './threads/running-half.ts';
import { threadedSession } from './threads/threaded-session.ts';
import type { SessionHalfListener } from './threads/threaded-session.ts';
import type { SessionFiles } from './threads/wire.ts';

/** A plugin that this host knows. */
export interface RegisteredPlugin {
  readonly manifest: AnyManifest;
  /** Its folder. */
  readonly folder: string;
  /** Its host half, where it has one; that of a third party runs in threads. */
  readonly activate?: (scope: HostScope, listener: HalfListener) => void | Promise<void>;
  /** Its session half, where it has one; that of a third party runs in a thread. */
  readonly activateSession?: (scope: SessionScope, listener: SessionHalfListener) => void | Promise<void>;
  /** Its routes, by method and path, and the HTTP statuses of its errors; a third party's session half has those of its plugin. */
  readonly routes?: Routes;
  readonly routeErrors?: RouteErrors;
  /** True for one that is not part of this checkout: its client half is no part of the client build. */
  readonly external: boolean;
  /** Its service half, where it has one; that of a third party is in `serviceHalf`. */
  readonly activateService?: ActivateService;
  /** Address of the client half of an external plugin, once somebody serves it. */
  readonly module?: string;
  /** An external plugin as it was read, for processes that run its host half; the source files of host and service half, where it has them. */
  readonly read?: CheckedPlugin;
  readonly half?: string;
  readonly serviceHalf?: string;
  /** The source files of its session half and routes, where an external plugin has one of them. */
  readonly sessionFiles?: SessionFiles;
}

const MANIFESTS = ['manifest.ts', 'manifest.js', 'manifest.mjs'];

/**
 * Reads the plugins of a checkout (`plugins/*`, less those named in `without`) and those in further folders, each of which is one
 * plugin with a manifest and halves.
 *
 * @throws AppError `bad-plugin` naming the folder and what is wrong with it; `plugin-taken` for an id that two have, unless they are versions for variants of their own.
 */
export async function loadPlugins(
  root: string,
  options: { readonly folders?: readonly string[]; readonly without?: readonly string[] } = {},
): Promise<RegisteredPlugin[]> {
  const own = path.join(root, 'plugins');
  const folders = (existsSync(own) ? readdirSync(own).sort() : [])
    .filter((name) => !options.without?.includes(name))
    .map((name) => path.join(own, name))
    .filter((folder) => first(folder, MANIFESTS) !== undefined);
  const plugins: RegisteredPlugin[] = [];
  for (const folder of folders) plugins.push(await loadPlugin(folder));
  for (const folder of (options.folders ?? []).map((given) => path.resolve(given))) {
    checkFolder(folder);
    plugins.push(await loadExternal(folder));
  }
  for (const versions of Map.groupBy(plugins, ({ manifest }) => manifest.id).values()) checkVersions(versions);
  return plugins;
}

/** The manifests of plugins of a checkout, by the names of their folders; those that are gone are passed over. @throws AppError `bad-plugin`. */
export async function manifestsOf(root: string, names: readonly string[]): Promise<AnyManifest[]> {
  const folders = names.map((name) => path.join(root, 'plugins', name));
  const files = folders.flatMap((folder) => first(folder, MANIFESTS) ?? []);
  return Promise.all(files.map(readOwn));
}

/**
 * Options that are declared by the plugins of a checkout, left-out ones included, and by those in further folders.
 *
 * @param taken names of the host's own options
 * @throws AppError `bad-plugin` naming the folder and what is wrong with it.
 */
export async function optionsOfPlugins(
  root: string,
  folders: readonly string[],
  taken: readonly string[],
): Promise<DeclaredOption[]> {
  const own = await manifestsOf(root, readdirSync(path.join(root, 'plugins')).sort());
  const external: AnyManifest[] = [];
  for (const folder of folders.map((given) => path.resolve(given))) {
    checkFolder(folder);
    const file = manifestOf(folder);
    external.push(manifestFrom(await readPlugin(folder, file), file));
  }
  return declaredOptions([...own, ...external], taken);
}

/** Several plugins of one id are versions side by side: one capability says which of them someone has. */
function checkVersions([first, ...others]: readonly RegisteredPlugin[]): void {
  const seen = first ? [first] : [];
  for (const plugin of others) {
    const { manifest, folder } = plugin;
    const taken = (reason: string, other: RegisteredPlugin): never => {
      throw new AppError('plugin-taken', `${folder}: the id ${manifest.id} is that of ${other.folder}${reason}`);
    };
    for (const other of seen) {
      const { variants, capability } = other.manifest;
      if (!manifest.variants && !variants) taken('', other);
      const both = manifest.variants?.find((variant) => variants?.includes(variant));
      if (both !== undefined) taken(`, and so is the variant ${both}`, other);
      if (capability !== manifest.capability) taken(': versions side by side have one capability', other);
      if (hasPageHalf(other) && hasPageHalf(plugin)) taken(': only one of them may have a page half', other);
    }
    seen.push(plugin);
  }
}

/** Surrogates run the page halves of all plugins, whoever has them. */
function hasPageHalf({ folder }: RegisteredPlugin): boolean {
  return sourceFile(folder, 'page/index') !== undefined;
}

async function loadPlugin(folder: string): Promise<RegisteredPlugin> {
  const manifest = await readOwn(manifestOf(folder));
  const activate = await exportedBy<ActivateHost>(folder, 'host');
  const activateSession = await exportedBy<ActivateSession>(folder, 'session');
  const activateService = await exportedBy<ActivateService>(folder, 'service');
  const file = halfOf(folder, 'routes');
  const { routes, errors } = file === undefined ? {} : await load(file);
  const checked = checkRoutes(file ?? folder, manifest, routes, errors);
  return {
    manifest,
    folder,
    external: false,
    ...(activate && { activate }),
    ...(activateSession && { activateSession }),
    ...(activateService && { activateService }),
    ...checked,
  };
}

/** The function that a half exports, by the contract of such halves; undefined where there is no half. @throws AppError `bad-plugin` */
async function exportedBy<F>(folder: string, which: keyof typeof HALVES): Promise<F | undefined> {
  const half = halfOf(folder, which);
  if (half === undefined) return undefined;
  const name = HALVES[which].exports;
  const { [name]: found } = await load(half);
  if (typeof found !== 'function') throw new AppError('bad-plugin', `${half}: exports no function ${name}`);
  return found as F; // the contract of the half
}

async function readOwn(file: string): Promise<AnyManifest> {
  const { manifest } = await load(file);
  try {
    const parsed = parseManifest(manifest);
    checkLaunch(parsed);
    checkRecorded(parsed);
    return parsed;
  } catch (thrown) {
    throw new AppError('bad-plugin', `${file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** Nothing of a third party is loaded here: its manifest is read, and its host half run, in threads. */
async function loadExternal(folder: string): Promise<RegisteredPlugin> {
  const file = manifestOf(folder);
  const read = await readPlugin(folder, file);
  const manifest = manifestFrom(read, file);
  for (const [name, { outside }] of Object.entries(HALVES)) {
    const refused = outside ? undefined : halfOf(folder, name as keyof typeof HALVES); // its own keys
    if (refused !== undefined)
      throw new AppError('bad-plugin', `${refused}: a plugin from outside this checkout has no ${name} half`);
  }
  const [half, serviceHalf] = [halfOf(folder, 'host'), halfOf(folder, 'service')];
  if (half !== undefined) await checkHalf(folder, half, manifest, HALVES.host.exports);
  if (serviceHalf !== undefined) await checkHalf(folder, serviceHalf, manifest, HALVES.service.exports);
  const [session, routes] = [halfOf(folder, 'session'), halfOf(folder, 'routes')];
  if (session !== undefined) await checkHalf(folder, session, manifest, HALVES.session.exports);
  const found = routes === undefined ? [] : (await readRoutes(folder, routes, manifest)).routes;
  checkRouteNames(routes ?? folder, manifest, found);
  const sessionFiles = { ...(session !== undefined && { session }), ...(routes !== undefined && { routes }) };
  return {
    manifest,
    folder,
    external: true,
    read,
    ...(Object.keys(sessionFiles).length > 0 && {
      sessionFiles,
      activateSession: threadedSession(folder, sessionFiles, manifest),
    }),
    ...(half !== undefined && { half, activate: threadedHalf(folder, half, manifest) }),
    ...(serviceHalf !== undefined && { serviceHalf }),
  };
}

/** The entry of a half; undefined where the plugin has none. */
function halfOf(folder: string, which: keyof typeof HALVES): string | undefined {
  return sourceFile(folder, HALVES[which].file);
}

function checkFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('bad-plugin', `${folder}: there is no such folder`);
}

function manifestOf(folder: string): string {
  const file = first(folder, MANIFESTS);
  if (file === undefined)
    throw new AppError('bad-plugin', `${folder}: there is no ${MANIFESTS.slice(0, 2).join(' or ')}`);
  return file;
}

async function load(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>; // a module is a record of its exports
  } catch (thrown) {
    throw new AppError('bad-plugin', `${file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

function first(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => path.join(folder, name)).find((file) => existsSync(file));
}
