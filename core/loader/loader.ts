import { AppError, toAppError } from '../protocol/errors.ts';
import type { Readiness } from '../dispatch/dispatcher.ts';
import type { Report } from '../events/report.ts';
import { providerOf, refuseCircle } from '../plugins/order.ts';
import type { GatedPlugin } from './gate.ts';
import type { Activation } from '../contracts/manifest.ts';

/** A scope and the way to end it. */
export interface DisposableScope<S> {
  readonly scope: S;
  dispose(): void;
}

/** Options of a loader. */
interface LoaderOptions<S> {
  readonly plugins: readonly GatedPlugin[];
  readonly open: (plugin: GatedPlugin) => DisposableScope<S>;
  readonly report: Report;
  /** A plugin has become active, or never will. */
  readonly onSettled: (id: string) => void;
  /** Names of services that the core provides itself. */
  readonly provided: readonly string[];
}

interface Loaded<S> {
  readonly plugin: GatedPlugin;
  state: 'waiting' | 'activating' | 'active' | 'failed';
  done?: Promise<void>;
  opened?: DisposableScope<S>;
}

/**
 * Activates client halves when their manifests say, each after the plugins that provide what it requires, and disposes them, those
 * that rely on them first. A half that fails is rolled back and reported once; the session goes on without it.
 */
export class PluginLoader<S> {
  readonly #options: LoaderOptions<S>;
  readonly #gated: readonly GatedPlugin[];
  readonly #plugins: Map<string, Loaded<S>>;

  constructor(options: LoaderOptions<S>) {
    this.#options = options;
    this.#gated = options.plugins;
    this.#plugins = new Map(options.plugins.map((plugin) => [plugin.manifest.id, { plugin, state: 'waiting' }]));
  }

  /** Activates all plugins of a kind. Never rejects. */
  async activateAll(kind: Activation): Promise<void> {
    const chosen = [...this.#plugins.values()].filter(({ plugin }) => plugin.manifest.activation === kind);
    await Promise.all(chosen.map((loaded) => this.#settle(loaded)));
  }

  /** Activates the plugins that load on first use and tap this hook, before it is called. Undefined when there are none to wait for. */
  neededFor(hook: string): Promise<unknown> | undefined {
    const needed = [...this.#plugins.values()].filter(
      ({ plugin: { manifest }, state }) =>
        manifest.activation === 'first-use' &&
        manifest.hooks?.includes(hook) &&
        (state === 'waiting' || state === 'activating'),
    );
    return needed.length > 0 ? Promise.all(needed.map((loaded) => this.#settle(loaded))) : undefined;
  }

  /** Says whether messages for a plugin can be handled, and begins its activation if this is its first use. */
  readiness(id: string): Readiness {
    const loaded = this.#plugins.get(id);
    if (!loaded || loaded.state === 'failed') return 'none';
    if (loaded.state === 'active') return 'active';
    if (loaded.plugin.manifest.activation === 'first-use') void this.#settle(loaded);
    return 'coming';
  }

  /** Disposes a plugin in mid-session, and those that require what it provides; they do not come back. */
  withdraw(id: string): void {
    const loaded = this.#plugins.get(id);
    if (!loaded || loaded.state === 'failed') return;
    loaded.state = 'failed';
    for (const service of loaded.plugin.manifest.provides ?? [])
      for (const other of this.#plugins.values())
        if (other.plugin.manifest.requires?.includes(service)) this.withdraw(other.plugin.manifest.id);
    loaded.opened?.dispose();
    delete loaded.opened;
    this.#options.onSettled(id);
  }

  /** Withdraws all. */
  dispose(): void {
    for (const id of this.#plugins.keys()) this.withdraw(id);
  }

  #settle(loaded: Loaded<S>): Promise<void> {
    const { id } = loaded.plugin.manifest;
    loaded.done ??= this.#activate(loaded).catch((thrown: unknown) => {
      const fault = toAppError(thrown);
      loaded.opened?.dispose();
      delete loaded.opened;
      if (loaded.state === 'failed') return; // withdrawn meanwhile
      loaded.state = 'failed';
      console.error(`${id} was not activated`, fault);
      const { version, variant } = loaded.plugin.grant;
      this.#options.report(
        'tc-plugin-failed',
        { plugin: id, version, variant, code: fault.code, message: fault.message },
        { level: 'error', force: true },
      );
      this.#options.onSettled(id);
    });
    return loaded.done;
  }

  async #activate(loaded: Loaded<S>): Promise<void> {
    const { manifest, load } = loaded.plugin;
    if (loaded.state === 'failed') return;
    loaded.state = 'activating';
    refuseCircle(loaded.plugin, this.#gated);
    const module = load(); // fetched while the plugins that it requires are activated
    module.catch(() => undefined); // awaited below
    for (const service of manifest.requires ?? []) await this.#require(service);
    const { activate } = await module;
    if (typeof activate !== 'function') throw new AppError('bad-plugin', `${manifest.id} exports no activate`);
    if (this.#isWithdrawn(loaded)) return;
    loaded.opened = this.#options.open(loaded.plugin);
    await (activate as (scope: S) => unknown)(loaded.opened.scope); // what a client half exports: core/index.ts
    if (this.#isWithdrawn(loaded)) return;
    loaded.state = 'active';
    this.#expose(loaded.plugin);
    this.#options.onSettled(manifest.id);
  }

  /** Someone has come to meet what a flag has decided: once per session. */
  #expose({ grant: { id, version, variant, flag } }: GatedPlugin): void {
    if (flag !== undefined) this.#options.report('exposure', { flag, plugin: id, version, variant });
  }

  /** The state may have changed during a wait, which the compiler cannot know. */
  #isWithdrawn({ state }: Loaded<S>): boolean {
    return state === 'failed';
  }

  #providerOf(service: string): Loaded<S> | undefined {
    return this.#plugins.get(providerOf(service, this.#gated)?.manifest.id ?? '');
  }

  async #require(service: string): Promise<void> {
    if (this.#options.provided.includes(service)) return;
    const provider = this.#providerOf(service);
    if (provider) await this.#settle(provider);
    if (provider?.state !== 'active') throw new AppError('no-service', `no active plugin provides ${service}`);
  }
}
