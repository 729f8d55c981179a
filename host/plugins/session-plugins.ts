import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { Disposal } from '../../core/plugins/disposal.ts';
import { guarded } from '../../core/plugins/guarded.ts';
import { inOrder, refuseCircle } from '../../core/plugins/order.ts';
import { ServiceRegistry } from '../../core/plugins/services.ts';
import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import type { AppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { ExtensionPage, Session, SessionScope, SessionSurrogate } from '../contracts/session-scope.ts';
import { activatedInTime } from './activation.ts';
import type { Chosen } from './choice.ts';
import { logWith } from './plugin-scope.ts';
import type { RegisteredPlugin } from './registry.ts';
import type { HostAccessOf } from './host-access.ts';
import { unavailable } from './threads/route-methods.ts';
import type { PluginRoutes } from './threads/threaded-session.ts';

/** Parts that the session halves of one person share. */
interface SessionPluginsOptions {
  readonly session: Session;
  /** The surrogate as one plugin works it. */
  readonly surrogateOf: (plugin: string) => SessionSurrogate;
  /** Called with every fault of a plugin. */
  readonly onFault: (fault: AppError, plugin: string) => void;
  readonly log: Log;
}

/** Facts of one half. */
interface Half {
  readonly manifest: AnyManifest;
  readonly variant: string;
  readonly accessOf: HostAccessOf;
}

/**
 * The session halves of one person. Each is activated before the first tab that has its plugin, once, in the version and variant of that
 * tab, and stays until the session ends or the half itself is ended. Whoever made it disposes of it.
 */
export class SessionPlugins {
  /** Services of the session. */
  readonly services = new ServiceRegistry();
  readonly #options: SessionPluginsOptions;
  readonly #disposals = new Map<string, Disposal>();
  readonly #activations = new Map<string, Promise<void>>();
  /** Routes that are answered by session halves in threads. */
  readonly #routes = new Map<string, PluginRoutes>();
  #over: AppError | undefined;

  constructor(options: SessionPluginsOptions) {
    this.#options = options;
  }

  /** Activates those session halves of a tab's plugins that are not active yet. One that fails is undone and reported. Never rejects. */
  async activate(plugins: readonly Chosen<RegisteredPlugin>[], accessOf: HostAccessOf): Promise<void> {
    const ordered = inOrder(plugins.map((chosen) => ({ ...chosen, manifest: chosen.plugin.manifest })));
    for (const each of ordered) {
      const { plugin, variant } = each;
      const { id } = plugin.manifest;
      const activation =
        this.#activations.get(id) ?? this.#activate(plugin, variant, accessOf, () => refuseCircle(each, ordered));
      this.#activations.set(id, activation);
      await activation;
    }
  }

  /** The routes of a plugin, as this person's session answers them. @throws AppError `plugin-unavailable`, retryable, while the half that answers is not active. */
  routesOf({ manifest, external, routes = {}, routeErrors = {} }: RegisteredPlugin): PluginRoutes {
    if (!external) return { routes, errors: routeErrors };
    const served = this.#routes.get(manifest.id);
    if (!served) throw unavailable();
    return served;
  }

  /** Undoes all, the last activated first. */
  dispose(reason: AppError): void {
    this.#over = reason;
    for (const disposal of [...this.#disposals.values()].reverse()) disposal.dispose(reason);
    this.#disposals.clear();
  }

  async #activate(
    { activateSession, manifest }: RegisteredPlugin,
    variant: string,
    accessOf: HostAccessOf,
    check: () => void,
  ): Promise<void> {
    if (!activateSession || this.#over) return;
    const { id } = manifest;
    const { log } = this.#options;
    const disposal = new Disposal((fault) => this.#report(id, fault, 'undo failed'));
    this.#disposals.set(id, disposal);
    const onFault = (fault: AppError): void => this.#options.onFault(fault, id);
    const onEnd = (fault: AppError): void => this.#fail(id, disposal, fault, 'ended');
    const onRoutes = (routes: PluginRoutes): void => {
      if (disposal.signal.aborted) return;
      this.#routes.set(id, routes);
      disposal.add(() => this.#routes.delete(id));
    };
    const scope = this.#scopeOf({ manifest, variant, accessOf }, disposal, onFault);
    try {
      check();
      const activated = (async () => activateSession(scope, { onFault, onEnd, onRoutes }))();
      if (await activatedInTime(activated)) return;
      log.warn('plugin is slow to activate its session half', { plugin: id });
      activated.catch((thrown: unknown) => this.#fail(id, disposal, thrown));
    } catch (thrown) {
      this.#fail(id, disposal, thrown);
    }
  }

  #scopeOf(
    { manifest, variant, accessOf }: Half,
    disposal: Disposal,
    onFault: (fault: AppError) => void,
  ): SessionScope {
    const plugin = { id: manifest.id, version: manifest.version, variant };
    const { session, surrogateOf, log } = this.#options;
    const surrogate = surrogateOf(plugin.id);
    const pages = new Set<ExtensionPage>();
    disposal.add(() => {
      for (const page of pages) page.close();
    });
    return {
      plugin,
      log: logWith(log, { plugin: plugin.id, version: plugin.version, variant: plugin.variant }),
      services: this.services.of(plugin.id, disposal),
      session: {
        cid: session.cid,
        person: session.person,
        policy: () => session.policy(),
        tabs: () => session.tabs(),
        onOpened: (listener) => disposal.once(session.onOpened(guarded(listener, onFault))),
        onClosed: (listener) => disposal.once(session.onClosed(guarded(listener, onFault))),
      },
      surrogate: {
        openExtensionPage: async (path, options) => {
          const page = await surrogate.openExtensionPage(path, options);
          pages.add(page);
          onAbort(page.closed, () => pages.delete(page));
          if (disposal.signal.aborted) page.close();
          return page;
        },
        setPermission: (origin, name, setting) => surrogate.setPermission(origin, name, setting),
        tabsInWindow: (windowId) => surrogate.tabsInWindow(windowId),
        onRenewed: (listener) => disposal.once(surrogate.onRenewed(guarded(listener, onFault))),
        onExtensionCall: (handler) => disposal.once(surrogate.onExtensionCall(handler)),
        onDownload: (listener) => disposal.once(surrogate.onDownload(guarded(listener, onFault))),
        stage: () => surrogate.stage(),
        mostStaged: () => surrogate.mostStaged(),
      },
      ...accessOf(manifest, disposal.signal),
      signal: disposal.signal,
      onDispose: (undo) => disposal.add(undo),
    };
  }

  #fail(plugin: string, disposal: Disposal, thrown: unknown, what = 'activation failed'): void {
    const fault = toAppError(thrown);
    this.#report(plugin, fault, what);
    this.#disposals.delete(plugin);
    disposal.dispose(fault);
  }

  #report(plugin: string, fault: AppError, what: string): void {
    this.#options.onFault(fault, plugin);
    this.#options.log.error(`session half: ${what}`, {
      plugin,
      code: fault.code,
      error: fault.message,
      stack: fault.stack,
    });
  }
}
