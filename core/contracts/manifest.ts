import * as v from 'valibot';
import type { PluginOptions, Recorded } from './declared.ts';
import type { PluginSettings } from './setting.ts';
import { AppError } from '../protocol/errors.ts';
import type { AnyMessage } from '../protocol/message.ts';

/** Version of the contracts that plugins build on: manifest, scopes, hooks, slots. */
export const PLUGIN_API = 1;

/** When a half is activated: while the session starts, when the page is ready and idle, or when something of it is first used. */
export type Activation = 'boot' | 'idle' | 'first-use';

/** A plugin's messages by local name, as its `protocol.ts` exports them. */
export type Protocol = Readonly<Record<string, unknown>>;

/**
 * Describes a plugin, as plain data: when it loads and what it adds. Written as
 * `export const manifest = { ... } satisfies Manifest<typeof protocol>`.
 */
export interface Manifest<P extends Protocol = Protocol> {
  /** Kebab-case, unique; also the folder's name. */
  readonly id: string;
  /** Semantic version of the plugin. */
  readonly version: string;
  /** The {@link PLUGIN_API} it was written for. */
  readonly api: typeof PLUGIN_API;
  /** One line for people. */
  readonly description: string;
  /** The capability that switches it; absent: always on. */
  readonly capability?: string;
  /**
   * The variants that this version is there for: with it, a plugin may be present in several versions, each for its own. Absent: for every
   * variant that no other version names.
   */
  readonly variants?: readonly string[];
  readonly activation: Activation;
  /**
   * Its client half is part of the boot script, which every page loads, and no file of its own: for the little that nobody can use a page
   * without. For plugins of the build alone: the host does not start with one from outside that has it.
   */
  readonly inBootScript?: boolean;
  /** All that `protocol.ts` exports; messages among it get opcodes in order of their names. */
  readonly protocol?: P;
  /** Names of overlay slots it fills. */
  readonly slots?: readonly string[];
  /** Names of hooks it taps. */
  readonly hooks?: readonly string[];
  /** Names of service tokens. */
  readonly requires?: readonly string[];
  readonly provides?: readonly string[];
  readonly permissions?: Permissions;
  /** Its routes, as `host/routes.ts` exports them, by method and path: `GET /r/print`. */
  readonly routes?: readonly string[];
  /** Settings that policy files may have for it. */
  readonly settings?: PluginSettings;
  /** Options of the host's command line, by name: `--<plugin>-<name>`. */
  readonly options?: PluginOptions;
  /** Its service half keeps files: see `ServiceScope.storage`. For plugins of the build alone. */
  readonly storage?: boolean;
  /** Its verbs on the command line, as `host/verbs.ts` exports them: `vitrine <plugin> <verb>`. For plugins of the build alone. */
  readonly verbs?: readonly string[];
  /** Counters by name: `/metrics` has them as `vitrine_plugin_<plugin>_<name>_total`. */
  readonly metrics?: Recorded;
  /** Event files by name: `<data>/events/<plugin>.<name>.jsonl`. */
  readonly eventFiles?: Recorded;
  readonly launch?: Launch;
}

/** Launch options of surrogates that the plugin needs. They apply to all people, with or without the plugin, and where it is left out of the build. */
export interface Launch {
  /** Preferences of the browser and their values: of {@link LAUNCH_PREFERENCES}. */
  readonly preferences?: Readonly<Partial<Record<LaunchPreference, 'denied'>>>;
  /** Flags of the browser: of {@link LAUNCH_FLAGS}. */
  readonly flags?: readonly LaunchFlag[];
}

/** Flags that a plugin may have browsers started with: none of them lets a site do more. */
export const LAUNCH_FLAGS = ['--disable-notifications', '--disable-prompt-on-repost', '--disable-speech-api'] as const;
export type LaunchFlag = (typeof LAUNCH_FLAGS)[number];

/** Permissions, by their names in CDP, that a plugin may have denied to all sites: it asks the person itself. None may be granted so. */
export const LAUNCH_PREFERENCES = ['clipboard-read'] as const;
export type LaunchPreference = (typeof LAUNCH_PREFERENCES)[number];

/** Permissions of a plugin's halves beyond messages. Enforced in the host; for the client half, which the operator trusts, for review. */
export interface Permissions {
  /** CDP methods the host half may send (`Page.handleJavaScriptDialog`) and domains whose events it may hear (`Page.*`). */
  readonly cdp?: readonly string[];
  /** Modules of Node that the host half may import (`fs/promises`), and `fetch`, beyond those that touch nothing outside of it. */
  readonly node?: readonly string[];
  /** Permissions of the surrogate's extension that the extension half needs: of {@link EXTENSION_PERMISSIONS}. */
  readonly extension?: readonly ExtensionPermission[];
}

/**
 * Permissions that extension halves may have. Only the extension's worker has them, not its content scripts; its halves do nothing for a page
 * that the page cannot do by itself. `webRequest` brings access to all hosts with it: the worker may see the address and the headers of every
 * request of the person.
 */
export const EXTENSION_PERMISSIONS = [
  'downloads',
  'webAuthenticationProxy',
  'webRequest',
  'webRequestAuthProvider',
] as const;
export type ExtensionPermission = (typeof EXTENSION_PERMISSIONS)[number];

/** Names of the fields below `permissions`, as faults tell them. */
export const PERMISSION_FIELDS = {
  cdp: 'permissions.cdp',
  node: 'permissions.node',
  extension: 'permissions.extension',
} as const;

export type AnyManifest = Manifest;

/** As much of a manifest as a client goes by before it has loaded the plugin's half. */
export type LoadingManifest = Pick<
  Manifest,
  'id' | 'version' | 'capability' | 'activation' | 'hooks' | 'requires' | 'provides'
>;

const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,49}$/));
const names = v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100)));
/** Method and path of a route: below /r/, or the specification's /safeview-fileserv/, of plain words; with `/*`, all below it. */
const ROUTE = /^(?:GET|POST) \/(?:r|safeview-fileserv)(?:\/[a-z0-9][a-z0-9_-]{0,49}){1,4}(?:\/\*)?$/;
const manifestSchema = v.strictObject({
  id: name,
  version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)),
  api: v.literal(PLUGIN_API),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  capability: v.exactOptional(v.pipe(v.string(), v.regex(/^\w{1,60}$/))),
  variants: v.exactOptional(
    v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/))), v.minLength(1), v.maxLength(20)),
  ),
  activation: v.picklist(['boot', 'idle', 'first-use']),
  inBootScript: v.exactOptional(v.boolean()),
  protocol: v.exactOptional(v.record(v.string(), v.unknown())),
  slots: names,
  hooks: names,
  requires: names,
  provides: names,
  permissions: v.exactOptional(
    v.strictObject({
      cdp: v.exactOptional(v.array(v.pipe(v.string(), v.regex(/^[A-Z]\w+\.(\w+|\*)$/)))),
      extension: v.exactOptional(v.array(v.picklist(EXTENSION_PERMISSIONS))),
      node: v.exactOptional(v.array(v.pipe(v.string(), v.regex(/^[a-z_/]{2,40}$/)))),
    }),
  ),
  routes: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200), v.regex(ROUTE))), v.maxLength(20))),
  storage: v.exactOptional(v.boolean()),
  verbs: v.exactOptional(v.pipe(v.array(name), v.maxLength(20))),
  // The host looks at these.
  settings: v.exactOptional(v.record(v.string(), v.unknown())),
  options: v.exactOptional(v.record(v.string(), v.unknown())),
  metrics: v.exactOptional(v.record(v.string(), v.unknown())),
  eventFiles: v.exactOptional(v.record(v.string(), v.unknown())),
  launch: v.exactOptional(v.unknown()),
});

/**
 * Checks a manifest that did not pass the compiler: a third party's.
 *
 * @throws AppError `api-version` when it was written for another version, `bad-manifest` naming the field.
 */
export function parseManifest(value: unknown): AnyManifest {
  const { api } = Object(value) as { readonly api?: unknown }; // whatever it is
  if (typeof api === 'number' && api !== PLUGIN_API)
    throw new AppError('api-version', `manifest: api: the host has ${PLUGIN_API}, not ${api}`);
  const outcome = v.safeParse(manifestSchema, value);
  if (outcome.success && outcome.output.variants && outcome.output.capability === undefined)
    throw new AppError('bad-manifest', 'manifest: variants: they need a capability');
  if (outcome.success) return outcome.output as AnyManifest; // same shape, but for settings, which the host looks at
  const issue = outcome.issues[0];
  const reason = issue.expected === 'never' ? 'there is no such key' : issue.message;
  throw new AppError('bad-manifest', `manifest: ${v.getDotPath(issue) ?? 'root'}: ${reason}`);
}

function isMessage(value: unknown): value is AnyMessage {
  return typeof value === 'object' && value !== null && 'direction' in value && 'lane' in value && 'params' in value;
}

/** The messages of a plugin, sorted by name: both sides count opcodes from this order. */
export function messagesOf(manifest: Pick<AnyManifest, 'protocol'>): readonly AnyMessage[] {
  return Object.values(manifest.protocol ?? {})
    .filter(isMessage)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether a plugin is on for someone with these capabilities: those that are absent, false or null are off. */
export function isEnabled(
  manifest: Pick<AnyManifest, 'capability'>,
  capabilities: Readonly<Record<string, unknown>>,
): boolean {
  if (manifest.capability === undefined) return true;
  const value = capabilities[manifest.capability];
  return value !== undefined && value !== null && value !== false;
}
