import { messagesOf } from '../../../core/contracts/manifest.ts';
import { grantOpcodes, OpcodeTable } from '../../../core/plugins/opcodes.ts';
import type { PluginGrant } from '../../../core/plugins/opcodes.ts';
import { CORE_MESSAGES } from '../../../core/protocol/core-messages.ts';
import { nameTable } from '../../../core/protocol/endpoint.ts';
import type { OpTable } from '../../../core/protocol/endpoint.ts';
import { PAGE_MESSAGES } from '../../../core/protocol/page-messages.ts';
import { withDependents } from '../../plugins/choice.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { TabOptions } from './tab-options.ts';

/** The plugins of a tab with their messages: granted at pairing, perhaps withdrawn later. It lasts as long as the tab. */
export class TabGrants {
  /** Messages between client and host. */
  readonly table = new OpcodeTable(CORE_MESSAGES);
  readonly #options: Pick<TabOptions, 'plugins' | 'capabilities'>;
  readonly #all: readonly PluginGrant[];
  readonly #withdrawn = new Set<string>();

  /** @throws AppError `version-mismatch`, `message-taken` when plugins contradict each other. */
  constructor(options: Pick<TabOptions, 'plugins' | 'capabilities' | 'flags'>) {
    this.#options = options;
    this.#all = grantOpcodes(
      options.plugins.map(({ plugin, variant }) => ({ manifest: plugin.manifest, variant })),
      options.flags,
    );
    for (const { plugin, grant } of this.granted()) this.table.add(plugin.manifest, grant);
  }

  /** Capabilities of the person at pairing, less those of withdrawn plugins. */
  get capabilities(): Readonly<Record<string, unknown>> {
    const off = this.#options.plugins.flatMap(({ plugin: { manifest } }) =>
      manifest.capability !== undefined && this.#withdrawn.has(manifest.id)
        ? [[manifest.capability, false] as const]
        : [],
    );
    return { ...this.#options.capabilities, ...Object.fromEntries(off) };
  }

  /** Grants of the plugins that are left. */
  get left(): readonly PluginGrant[] {
    return this.#all.filter(({ id }) => !this.#withdrawn.has(id));
  }

  /** The plugins that are left. */
  get plugins(): readonly RegisteredPlugin[] {
    return this.#options.plugins.flatMap(({ plugin }) => (this.#withdrawn.has(plugin.manifest.id) ? [] : [plugin]));
  }

  /** Ids of the plugins that were withdrawn. */
  get withdrawn(): ReadonlySet<string> {
    return this.#withdrawn;
  }

  /** All plugins that were granted at pairing. */
  granted(): { readonly plugin: RegisteredPlugin; readonly grant: PluginGrant }[] {
    return this.#options.plugins.map(({ plugin }, index) => ({ plugin, grant: this.#all[index] as PluginGrant })); // one each
  }

  /** Messages between host and page halves, by name. */
  pageTable(): OpTable {
    return nameTable([...PAGE_MESSAGES, ...this.#options.plugins.flatMap(({ plugin }) => messagesOf(plugin.manifest))]);
  }

  /** The owner of a message between host and page halves. */
  pageOwnerOf(name: string): string | undefined {
    return PAGE_MESSAGES.some((message) => message.name === name) ? 'core' : this.table.ownerOf(name);
  }

  /** Ids of plugins that are to be withdrawn together: those named, and all that require what they provide. */
  withDependents(ids: Iterable<string>): readonly string[] {
    return withDependents(this.plugins, ids);
  }

  /** Withdraws one plugin; it does not come back. */
  withdraw(id: string): void {
    this.#withdrawn.add(id);
  }
}
