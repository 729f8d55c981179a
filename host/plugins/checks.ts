import { isBuiltin } from 'node:module';
import { clientHooks } from '../../core/contracts/client-hooks.ts';
import { messagesOf, PERMISSION_FIELDS } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { CORE_MESSAGES } from '../../core/protocol/core-messages.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { PAGE_MESSAGES } from '../../core/protocol/page-messages.ts';
import { FORBIDDEN_DOMAINS, FORBIDDEN_METHODS } from '../contracts/forbidden-domains.ts';
import { checkDeclared } from '../policy/declared-settings.ts';
import { checkRecorded, metricName } from '../declared/recorded.ts';
import { checkLaunch } from './launch.ts';
import { NEVER } from './threads/lockdown.ts';
import { HOOKS } from './threads/tab-methods.ts';

/** The slots and services of the client's core: its own modules, which say so, are none of the host's. */
export const CORE_SLOTS: readonly string[] = ['page', 'banner', 'bar', 'panel', 'notice'].map(
  (name) => `overlay.${name}`,
);
export const CORE_SERVICES: readonly string[] = ['helper', 'hooks', 'input', 'policy', 'texts'].map(
  (name) => `vitrine.${name}`,
);
const HOOK_NAMES: readonly string[] = [...Object.keys(clientHooks(() => undefined)), ...HOOKS];
/** First words of the core's own paths below /r/. */
const CORE_ROUTES: readonly string[] = ['websocket', 'wsecho', 'pair', 'repair', 'unpair', 'p', 'push', 'policy'];
/** Owner of messages that are no plugin's. */
const CORE = 'core';

/** A plugin and where it comes from. */
interface Checked {
  readonly manifest: AnyManifest;
  readonly folder: string;
  readonly external: boolean;
}

/**
 * Refuses what a third party's manifest says in the right shape and nobody could ever give it.
 *
 * @throws AppError `bad-manifest` naming the field.
 */
export function checkNames(manifest: AnyManifest): void {
  const { id, slots = [], hooks = [], routes = [], permissions: { cdp = [], node = [] } = {} } = manifest;
  const own = `${id}.`;
  const refuse = (field: string, reason: string): never => {
    throw new AppError('bad-manifest', `manifest: ${field}: ${reason}`);
  };
  if (id === CORE) refuse('id', `${CORE} is no plugin`);
  if (manifest.inBootScript === true)
    refuse(
      'inBootScript',
      'only plugins of the build are part of the boot script: a client half from outside is a file of its own',
    );
  for (const { name } of messagesOf(manifest))
    if (!name.startsWith(own)) refuse('protocol', `the message ${name} must be named ${own}...`);
  for (const slot of slots)
    if (!CORE_SLOTS.includes(slot) && !slot.startsWith(own))
      refuse('slots', `there is no ${slot}: there are ${CORE_SLOTS.join(', ')}, and slots of its own, ${own}...`);
  for (const hook of hooks)
    if (!HOOK_NAMES.includes(hook)) refuse('hooks', `there is no ${hook}: there are ${HOOK_NAMES.join(', ')}`);
  for (const route of routes)
    if (!/^[A-Z]+ \/r\//.test(route) || wordOf(route) !== id) refuse('routes', `${route} must be below /r/${id}`);
  for (const method of cdp)
    if (FORBIDDEN_DOMAINS.includes(method.slice(0, method.indexOf('.'))) || FORBIDDEN_METHODS.includes(method))
      refuse(PERMISSION_FIELDS.cdp, `${method} reaches past the tab: no plugin is given it`);
  for (const module of node) {
    if (NEVER.includes(module)) refuse(PERMISSION_FIELDS.node, `no plugin is given ${module}`);
    if (module !== 'fetch' && !isBuiltin(`node:${module}`)) refuse(PERMISSION_FIELDS.node, `Node has no ${module}`);
  }
  checkDeclared(manifest);
  checkLaunch(manifest);
  checkRecorded(manifest);
  if (manifest.permissions?.extension)
    refuse(PERMISSION_FIELDS.extension, 'only plugins of the build have an extension half');
  if (manifest.storage) refuse('storage', 'only plugins of the build keep files: the launcher gives them a folder');
  if (manifest.verbs) refuse('verbs', 'only plugins of the build have verbs: they run as the administrator');
}

/** First word of a route's path below /r/. */
function wordOf(route: string): string {
  return /\/r\/([^/]+)/.exec(route)?.[1] ?? '';
}

/**
 * Refuses plugins that contradict each other, or rely on what none of them provides, before anybody's session meets them. Versions of one
 * plugin are never in a session together.
 *
 * @throws AppError `bad-plugin` naming the folders and what they are at odds about.
 */
export function checkTogether(plugins: readonly Checked[]): void {
  const owners = new Map<string, { readonly id: string; readonly folder: string }>(
    [...CORE_MESSAGES, ...PAGE_MESSAGES].map(({ name }) => [name, { id: CORE, folder: 'the core' }]),
  );
  const provided = [...CORE_SERVICES, ...plugins.flatMap(({ manifest }) => manifest.provides ?? [])];
  for (const { manifest, folder, external } of plugins) {
    for (const { name } of messagesOf(manifest)) {
      const other = owners.get(name);
      if (other && other.id !== manifest.id)
        throw new AppError('bad-plugin', `${folder}: the message ${name} is that of ${other.folder}`);
      owners.set(name, { id: manifest.id, folder });
    }
    for (const route of manifest.routes ?? []) {
      const other = CORE_ROUTES.includes(wordOf(route)) ? { id: CORE, folder: 'the core' } : owners.get(route);
      if (other && other.id !== manifest.id)
        throw new AppError('bad-plugin', `${folder}: the route ${route} is that of ${other.folder}`);
      owners.set(route, { id: manifest.id, folder });
    }
    for (const metric of Object.keys(manifest.metrics ?? {})) {
      const name = metricName(manifest.id, metric);
      const other = owners.get(name);
      if (other && other.id !== manifest.id)
        throw new AppError('bad-plugin', `${folder}: the counter ${name} is that of ${other.folder}`);
      owners.set(name, { id: manifest.id, folder });
    }
    const missing = external ? manifest.requires?.find((service) => !provided.includes(service)) : undefined;
    if (missing !== undefined)
      throw new AppError('bad-plugin', `${folder}: manifest: requires: nobody provides ${missing}`);
  }
}
