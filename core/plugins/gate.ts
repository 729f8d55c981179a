import { AppError, toAppError } from '../protocol/errors.ts';
import type { PairAnswer } from '../protocol/pairing.ts';
import { isEnabled, parseManifest } from './manifest.ts';
import type { AnyManifest } from './manifest.ts';
import type { OpcodeTable, PluginGrant } from './opcodes.ts';

/** What a client half's module exports; a third party's exports its `protocol` too, when it has messages. */
export interface ClientModule {
  readonly activate: unknown;
  readonly protocol?: unknown;
}

/** A plugin of this build. */
export interface RegistryEntry {
  readonly manifest: AnyManifest;
  readonly load?: () => Promise<ClientModule>;
}

/** A plugin that is on in this session and has a client half. */
export interface GatedPlugin {
  readonly manifest: AnyManifest;
  readonly grant: PluginGrant;
  readonly load: () => Promise<ClientModule>;
  /** Address of a client half that is not part of this build. */
  readonly module?: string;
}

/** What the gate lets through. */
export interface Gated {
  readonly plugins: readonly GatedPlugin[];
  /** Plugins that host and client have in different versions: the client is too old, or too new. */
  readonly mismatched: readonly AppError[];
}

type Grant = NonNullable<PairAnswer['plugins']>[number];

/** Loads a module by its address. */
export type ImportModule = (address: string) => Promise<ClientModule>;

const importModule: ImportModule = (address) => import(/* @vite-ignore */ address) as Promise<ClientModule>;

/**
 * Resolves at pairing which plugins this session has (S-002): those the host grants, less those whose capability is off. Their
 * messages are put into the table; a third party's when its module is loaded.
 */
export function gate(
  answer: Pick<PairAnswer, 'plugins' | 'client_caps'>,
  registry: readonly RegistryEntry[],
  table: OpcodeTable,
  importer: ImportModule = importModule,
): Gated {
  const plugins: GatedPlugin[] = [];
  const mismatched: AppError[] = [];
  for (const granted of answer.plugins ?? []) {
    try {
      const plugin = found(granted, registry, table, importer);
      if (!plugin || !isEnabled(plugin.manifest, answer.client_caps ?? {})) continue;
      if (granted.module === undefined) table.add(plugin.manifest, granted);
      if (!plugin.load) continue;
      const { manifest, load } = plugin;
      plugins.push({ manifest, grant: granted, load, ...(granted.module !== undefined && { module: granted.module }) });
    } catch (thrown) {
      mismatched.push(toAppError(thrown));
    }
  }
  return { plugins, mismatched };
}

function found(
  granted: Grant,
  registry: readonly RegistryEntry[],
  table: OpcodeTable,
  load: ImportModule,
): RegistryEntry | undefined {
  if (granted.module !== undefined) return foreign(granted, granted.module, table, load);
  return granted.manifest === undefined ? own(granted, registry) : undefined; // a third party's without a client half
}

function own(grant: PluginGrant, registry: readonly RegistryEntry[]): RegistryEntry | undefined {
  const entry = registry.find(({ manifest }) => manifest.id === grant.id);
  if (!entry && grant.count > 0) throw new AppError('version-mismatch', `${grant.id} is not part of this client`);
  return entry;
}

function foreign(grant: Grant, address: string, table: OpcodeTable, load: ImportModule): RegistryEntry {
  const manifest = parseManifest(grant.manifest);
  if (manifest.id !== grant.id) throw new AppError('bad-manifest', `${grant.id}: its manifest says ${manifest.id}`);
  return {
    manifest,
    load: async () => {
      const module = await load(address);
      const protocol = module.protocol as AnyManifest['protocol']; // a record of anything: messages are picked from it
      table.add({ ...manifest, ...(protocol && { protocol }) }, grant);
      return module;
    },
  };
}
