import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rollup';
import { messagesOf } from '../../core/contracts/manifest.ts';
import type { AnyManifest, LoadingManifest } from '../../core/contracts/manifest.ts';
import type { AnyMessage } from '../../core/protocol/message.ts';

/** A folder under `plugins/`. A half is found by its subfolder; without the subfolder there is no such half. */
interface PluginFolder {
  readonly name: string;
  readonly manifest: string;
  readonly protocol?: string;
  readonly client?: string;
  readonly page?: string;
  readonly main?: string;
  readonly extension?: string;
  readonly host?: string;
  readonly session?: string;
  readonly service?: string;
  readonly routes?: string;
}

const ENTRIES = ['index.ts', 'index.tsx'];

function half(folder: string, name: string): string | undefined {
  return ENTRIES.map((entry) => path.join(folder, name, entry)).find((file) => existsSync(file));
}

/** The plugins that a build is to leave out: VITRINE_WITHOUT, comma-separated. */
export function leftOut(): string[] {
  return (process.env.VITRINE_WITHOUT ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Lists the plugins of a checkout by name, less those that are left out: by default, those that a build is to leave out. */
export function pluginFolders(root: string, leaving: readonly string[] = leftOut()): PluginFolder[] {
  const parent = path.join(root, 'plugins');
  if (!existsSync(parent)) return [];
  const without = new Set(leaving);
  return readdirSync(parent)
    .sort()
    .filter((name) => !without.has(name))
    .map((name) => ({ name, folder: path.join(parent, name) }))
    .map(({ name, folder }) => ({ name, folder, manifest: path.join(folder, 'manifest.ts') }))
    .filter(({ manifest }) => existsSync(manifest))
    .map(({ name, folder, manifest }) => {
      const client = half(folder, 'client');
      const page = half(folder, 'page');
      const main = half(folder, 'main');
      const extension = half(folder, 'extension');
      const host = half(folder, 'host');
      const session = path.join(folder, 'host/session.ts');
      const service = path.join(folder, 'host/service.ts');
      const routes = path.join(folder, 'host/routes.ts');
      const protocol = path.join(folder, 'protocol.ts');
      return {
        name,
        manifest,
        ...(existsSync(protocol) && { protocol }),
        ...(client && { client }),
        ...(page && { page }),
        ...(main && { main }),
        ...(extension && { extension }),
        ...(host && { host }),
        ...(existsSync(session) && { session }),
        ...(existsSync(service) && { service }),
        ...(existsSync(routes) && { routes }),
      };
    });
}

/** Module id of a plugin's client half and messages. Each plugin has its own id, made from its name. */
const clientModule = (name: string): string => `virtual:/plugins/${name}/client`;

/**
 * Of a manifest, what the client goes by before it loads the half, as plain data: all else, and the messages, would be loaded for
 * every page.
 */
async function clientSource(folders: readonly PluginFolder[]): Promise<string> {
  const manifests = await Promise.all(
    folders.map(
      async ({ manifest: file }) => (await import(pathToFileURL(file).href)) as { manifest: AnyManifest }, // it satisfies Manifest
    ),
  );
  const required = new Set(manifests.flatMap(({ manifest }) => manifest.requires ?? []));
  const all = folders.flatMap((folder, i) => {
    const { manifest } = manifests[i] as { manifest: AnyManifest }; // one for each folder
    const count = messagesOf(manifest).length;
    if (!folder.client && count === 0) return []; // there is nothing of it that a client could have in another version
    const { imports, load } = clientLoading(folder, manifest, i);
    return [{ imports, entry: `{ manifest: ${JSON.stringify(factsOf(manifest, required))}, count: ${count}${load} }` }];
  });
  return [
    ...all.flatMap(({ imports }) => imports),
    `export const registry = [${all.map(({ entry }) => entry).join(', ')}];`,
  ].join('\n');
}

/** Facts of a manifest for the client, less those that tell it nothing. `required`: services that plugins require. */
function factsOf(manifest: AnyManifest, required: ReadonlySet<string>): Partial<LoadingManifest> {
  const { id, version, capability, activation, hooks, requires, provides } = manifest;
  // Hooks are a reason to load those alone that are not loaded anyway.
  const triggers = activation === 'first-use' && hooks;
  // Services under a plugin's own name are for its own halves, unless another one requires them.
  const given = provides?.filter((name) => !name.startsWith(`${id}.`) || required.has(name)) ?? [];
  return {
    id,
    version,
    ...(capability !== undefined && { capability }),
    activation,
    ...(triggers && { hooks: triggers }),
    ...(requires && { requires }),
    ...(given.length > 0 && { provides: given }),
  };
}

/** How a client half is loaded: on demand, or with the boot script, whose module it is then. */
function clientLoading(
  { name, client, protocol }: PluginFolder,
  manifest: AnyManifest,
  i: number,
): { readonly imports: readonly string[]; readonly load: string } {
  if (!client) return { imports: [], load: '' };
  if (!manifest.inBootScript)
    return { imports: [], load: `, load: () => import(${JSON.stringify(clientModule(name))})` };
  // Each message by itself: a module as a value would be carried with all its names.
  const messages = messagesOf(manifest).map((message) => keyOf(manifest, message));
  const names = messages.map((message) => `${message} as ${message}${i}`).join(', ');
  return {
    imports: [
      `import { activate as a${i} } from ${JSON.stringify(client)};`,
      ...(protocol ? [`import { ${names} } from ${JSON.stringify(protocol)};`] : []),
    ],
    load: `, load: () => ({ activate: a${i}, protocol: [${messages.map((message) => `${message}${i}`).join()}] })`,
  };
}

/** The name by which a protocol exports a message. */
function keyOf({ protocol = {} }: AnyManifest, message: AnyMessage): string {
  return Object.keys(protocol).find((key) => protocol[key] === message) ?? '';
}

function clientModuleSource({ client, protocol }: PluginFolder): string {
  const messages = protocol ? `\nexport * as protocol from ${JSON.stringify(protocol)};` : '';
  return `export { activate } from ${JSON.stringify(client)};${messages}`;
}

/** Of a manifest, the name and the messages: all else would be carried into every frame. */
function pageSource(folders: readonly PluginFolder[]): string {
  const withPage = folders.filter(({ page }) => page !== undefined);
  const imports = withPage.map(
    ({ protocol, page }, i) =>
      (protocol ? `import * as p${i} from ${JSON.stringify(protocol)};\n` : '') +
      `import { activate as a${i} } from ${JSON.stringify(page)};`,
  );
  const entries = withPage.map(({ name, protocol }, i) => {
    const messages = protocol ? `, protocol: p${i}` : '';
    return `{ manifest: { id: ${JSON.stringify(name)}${messages} }, activate: a${i} }`;
  });
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
}

/** Halves by their plugins' names. Manifests stay out of the page's world, and of the extension's worker. */
function namedSource(folders: readonly PluginFolder[], which: 'main' | 'extension'): string {
  const having = folders.filter(({ [which]: file }) => file !== undefined);
  const imports = having.map(({ [which]: file }, i) => `import { activate as a${i} } from ${JSON.stringify(file)};`);
  const entries = having.map(({ name }, i) => `{ id: ${JSON.stringify(name)}, activate: a${i} }`);
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
}

/** All plugins, for a process without their folders: with their manifests, messages included, and the halves that run in the host. */
function hostSource(folders: readonly PluginFolder[]): string {
  const imports: string[] = [];
  const entries = folders.map(({ manifest, host, session, service, routes }, i) => {
    const fields: string[] = [];
    const take = (file: string | undefined, name: string): void => {
      if (file === undefined) return;
      imports.push(`import { ${name} as ${name}${i} } from ${JSON.stringify(file)};`);
      fields.push(`${name}: ${name}${i}`);
    };
    take(manifest, 'manifest');
    take(host, 'activate');
    take(session, 'activateSession');
    take(service, 'activateService');
    if (routes !== undefined) {
      imports.push(`import * as routes${i} from ${JSON.stringify(routes)};`);
      fields.push(`routes: routes${i}.routes, routeErrors: routes${i}.errors`);
    }
    return `{ ${fields.join(', ')} }`;
  });
  return `${imports.join('\n')}\nexport const registry = [${entries.join(', ')}];`;
}

/**
 * Generates the lists of plugins, so that nobody edits one: `virtual:plugin-registry` with an `import()` per client
 * half, each with its messages a chunk of its own unless its manifest says `inBootScript`, `virtual:page-registry` with all page halves,
 * `virtual:main-registry` with all main halves, `virtual:extension-registry` with all extension halves, and `virtual:host-registry` with
 * all host halves.
 */
export function pluginRegistry(root: string): Plugin {
  const source = (id: string): Promise<string> | string | undefined => {
    const folders = pluginFolders(root);
    if (id === 'virtual:plugin-registry') return clientSource(folders);
    if (id === 'virtual:page-registry') return pageSource(folders);
    if (id === 'virtual:main-registry') return namedSource(folders, 'main');
    if (id === 'virtual:extension-registry') return namedSource(folders, 'extension');
    if (id === 'virtual:host-registry') return hostSource(folders);
    const folder = folders.find(({ name }) => clientModule(name) === id);
    return folder && clientModuleSource(folder);
  };
  return {
    name: 'plugin-registry',
    resolveId: (id) => (id.startsWith('virtual:') ? { id: `\0${id}`, moduleSideEffects: false } : null),
    load: (id) => (id.startsWith('\0virtual:') ? source(id.slice(1)) : null),
  };
}
