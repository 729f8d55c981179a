import { Disposal } from '../../../core/plugins/disposal.ts';
import { inOrder, refuseCircle } from '../../../core/plugins/order.ts';
import type { ServiceRegistry } from '../../../core/plugins/services.ts';
import { guarded } from '../../../core/plugins/guarded.ts';
import type { Commands, Log } from '../../../core/contracts/scope.ts';
import type { Token } from '../../../core/contracts/token.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { Endpoint, Packet } from '../../../core/protocol/endpoint.ts';
import type { OpcodeTable, PluginGrant } from '../../../core/plugins/opcodes.ts';
import type { HostScope, Tab } from '../../contracts/host-scope.ts';
import type { TabCdp } from '../page/cdp-broker.ts';
import type { PageInput } from '../input/page-input.ts';
import type { FrameTree } from '../page/frames.ts';
import { activatedInTime } from '../../plugins/activation.ts';
import { KeptPackets } from '../../plugins/kept-packets.ts';
import type { PageMessages } from '../page/page-bus.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { hooksOf, logWith } from '../../plugins/plugin-scope.ts';
import type { HostAccessOf } from '../../plugins/host-access.ts';

/** Parts of a tab that its host halves share. */
interface PluginHostOptions {
  readonly tab: Tab;
  readonly endpoint: Endpoint;
  readonly table: OpcodeTable;
  readonly frames: FrameTree;
  readonly page: PageMessages;
  readonly cdp: TabCdp;
  readonly input: PageInput;
  /** The services of the tab. */
  readonly services: ServiceRegistry;
  readonly accessOf: HostAccessOf;
  readonly log: Log;
  /** Called with every fault of a plugin. */
  readonly onFault: (fault: AppError, plugin: string) => void;
  /** The host half of a plugin has been ended in mid-session, for what it did. */
  readonly onEnd: (plugin: string) => void;
}

/** The host halves of one tab: activated in order of what they require, undone as a whole. */
export class PluginHost {
  readonly #options: PluginHostOptions;
  readonly #disposals = new Map<string, Disposal>();
  readonly #kept = new KeptPackets();

  constructor(options: PluginHostOptions) {
    this.#options = options;
  }

  /** Activates the host halves of the granted plugins. One that fails is undone and reported; the others go on without it. */
  async activate(
    plugins: readonly { readonly plugin: RegisteredPlugin; readonly grant: PluginGrant }[],
  ): Promise<void> {
    const ordered = inOrder(plugins.map((each) => ({ ...each, manifest: each.plugin.manifest })));
    for (const each of ordered) await this.#activate(each.plugin, each.grant, () => refuseCircle(each, ordered));
  }

  /** A service that one of the plugins provides. */
  service<T>(token: Token<T>): T | undefined {
    return this.#options.services.find(token);
  }

  /** See {@link KeptPackets.keep}. */
  keep(owner: string | undefined, packet: Packet, again: () => void): boolean {
    return this.#kept.keep(owner, packet, again);
  }

  /** Undoes one plugin, or all of them, the last activated first. */
  dispose(reason: AppError, id?: string): void {
    for (const [plugin, disposal] of [...this.#disposals].reverse()) {
      if (id !== undefined && id !== plugin) continue;
      this.#disposals.delete(plugin);
      this.#kept.drop(plugin);
      disposal.dispose(reason);
    }
  }

  /** `check` throws for a plugin that must not be activated. */
  async #activate(
    { activate, manifest }: RegisteredPlugin,
    { id, version, variant }: PluginGrant,
    check: () => void,
  ): Promise<void> {
    if (!activate) return;
    const { tab, frames, page, cdp, input, log } = this.#options;
    const disposal = new Disposal((fault) => this.#report(id, fault, 'undo failed'));
    this.#disposals.set(id, disposal);
    const onDispose = (undo: () => void): void => disposal.add(undo);
    const bus = page.of(id);
    const onFault = (fault: AppError): void => this.#options.onFault(fault, id);
    const permissions = manifest.permissions?.cdp ?? [];
    const scope: HostScope = {
      plugin: { id, version, variant },
      commands: this.#commandsOf(id, disposal),
      hooks: hooksOf(id, disposal),
      services: this.#options.services.of(id, disposal),
      log: logWith(log, { plugin: id, version, variant }),
      ...this.#options.accessOf(manifest, disposal.signal),
      signal: disposal.signal,
      onDispose,
      tab,
      frames: {
        get: (frame) => frames.get(frame),
        all: () => frames.all(),
        ownerOf: (frame) => frames.ownerOf(frame),
        originOf: (frame) => frames.originOf(frame),
        nodeIdOf: (frame, backendNodeId) => frames.nodeIdOf(frame, backendNodeId),
        onReady: (listener) => disposal.once(frames.onReady(guarded(listener, onFault))),
        onNavigated: (listener) => disposal.once(frames.onNavigated(guarded(listener, onFault))),
        onGone: (listener) => disposal.once(frames.onGone(guarded(listener, onFault))),
      },
      page: { ...bus, handle: (message, handler) => this.#handled(id, disposal, bus.handle(message, handler)) },
      cdp: cdp.of(id, permissions, (undo) => disposal.once(undo), onFault),
      input: input.of({ plugin: id, permissions, signal: disposal.signal, onFault }),
    };
    this.#kept.begin(id);
    try {
      const onEnd = (fault: AppError): void => {
        this.#fail(id, disposal, fault, 'ended');
        this.#options.onEnd(id);
      };
      check();
      const activated = (async () => activate(scope, { onFault, onEnd }))().finally(() => this.#kept.end(id));
      // Reported below when it is in time, here when it is not.
      if (await activatedInTime(activated)) return;
      log.warn('plugin is slow to activate', { plugin: id });
      activated.catch((thrown: unknown) => this.#fail(id, disposal, thrown));
    } catch (thrown) {
      this.#fail(id, disposal, thrown);
    }
  }

  #fail(plugin: string, disposal: Disposal, thrown: unknown, what = 'activation failed'): void {
    const fault = toAppError(thrown);
    this.#report(plugin, fault, what);
    this.#disposals.delete(plugin);
    disposal.dispose(fault);
  }

  #handled(plugin: string, disposal: Disposal, undo: () => void): () => void {
    this.#kept.handled(plugin);
    return disposal.once(undo);
  }

  #commandsOf(plugin: string, disposal: Disposal): Commands {
    const { endpoint, table } = this.#options;
    const check = (name: string): void => {
      const owner = table.ownerOf(name);
      if (owner !== plugin && owner !== 'core') throw new AppError('not-yours', `${name} is no message of ${plugin}`);
    };
    return {
      send: (message, params, ...options) => {
        check(message.name);
        endpoint.send(message, params, ...options);
      },
      call: async (message, params, ...options) => {
        check(message.name);
        return endpoint.call(message, params, ...options);
      },
      handle: (message, handler) => {
        check(message.name);
        return this.#handled(plugin, disposal, endpoint.handle(message, handler));
      },
    };
  }

  #report(plugin: string, fault: AppError, what: string): void {
    this.#options.onFault(fault, plugin);
    this.#options.log.error(`plugin: ${what}`, { plugin, code: fault.code, error: fault.message, stack: fault.stack });
  }
}
