import { AppError, toAppError } from '../protocol/errors.ts';
import type { PairAnswer } from '../protocol/pairing.ts';
import { isEnabled, parseManifest } from '../contracts/manifest.ts';
import type { LoadingManifest, Protocol } from '../contracts/manifest.ts';
import type { OpcodeTable, PluginGrant } from '../plugins/opcodes.ts';

/** Loaded module of a plugin: its client half, and its messages where it has any. */
interface ClientModule {
  readonly activate: unknown;
  readonly protocol?: unknown;
}

/** A plugin of this build. */
export interface RegistryEntry {
  readonly manifest: LoadingManifest;
  /** Number of its messages, which are loaded with its client half. */
  readonly count: number;
  readonly load?: () => ClientModule | Promise<ClientModule>;
}

/** A plugin that is on in this session and has a client half. */
export interface GatedPlugin {
  readonly manifest: LoadingManifest;
  readonly grant: PluginGrant;
  /** Fetches the client half and puts its messages into the table. */
  readonly load: () => Promise<ClientModule>;
  /** Address of a client half that is not part of this build. */
  readonly module?: string;
}

/** Plugins that the gate lets through, and those that it does not for their version. */
export interface Gated {
  readonly plugins: readonly GatedPlugin[];
  /** Plugins that host and client have in different versions: the client is too old, or too new. */
  readonly mismatched: readonly AppError[];
}

type Grant = NonNullable<PairAnswer['plugins']>[number];

/** Loads a module by its address. */
type ImportModule = (address: string) => Promise<ClientModule>;

const importModule: ImportModule = (address) => import(/* @vite-ignore */ address) as Promise<ClientModule>;

/**
 * Resolves at pairing which plugins this session has (S-002): those the host grants, less those whose capability is off. Their
 * messages are put into the table when they are loaded.
 */
export function gate(
  answer: Pick<PairAnswer, 'plugins' | 'client_caps'>,
  registry: readonly RegistryEntry[],
  table: OpcodeTable,
  importer: ImportModule = importModule,
): Gated {
  const plugins: GatedPlugin[] = [];
  const mismatched: AppError[] = [];
  for (const grant of answer.plugins ?? []) {
    try {
      const entry = found(grant, registry, importer);
      if (!entry?.load || !isEnabled(entry.manifest, answer.client_caps ?? {})) continue;
      const { manifest, load } = entry;
      plugins.push({
        manifest,
        grant,
        load: async () => {
          const module = await load();
          const protocol = module.protocol as Protocol | undefined; // a record or a list of anything: messages are picked from it
          table.add({ ...manifest, ...(protocol && { protocol }) }, grant);
          return module;
        },
        ...(grant.module !== undefined && { module: grant.module }),
      });
    } catch (thrown) {
      mismatched.push(toAppError(thrown));
    }
  }
  return { plugins, mismatched };
}

type Found = Pick<RegistryEntry, 'manifest' | 'load'>;

function found(grant: Grant, registry: readonly RegistryEntry[], load: ImportModule): Found | undefined {
  if (grant.module !== undefined) return foreign(grant, grant.module, load);
  return grant.manifest === undefined ? own(grant, registry) : undefined; // a third party's without a client half
}

function own(grant: PluginGrant, registry: readonly RegistryEntry[]): Found | undefined {
  const entry = registry.find(({ manifest }) => manifest.id === grant.id);
  if (entry ? entry.count !== grant.count || entry.manifest.version !== grant.version : grant.count > 0)
    throw new AppError('version-mismatch', `${grant.id} ${grant.version} is not part of this client`);
  return entry;
}

function foreign(grant: Grant, address: string, load: ImportModule): Found {
  const manifest = parseManifest(grant.manifest);
  if (manifest.id !== grant.id) throw new AppError('bad-manifest', `${grant.id}: its manifest says ${manifest.id}`);
  return { manifest, load: () => load(address) };
}
