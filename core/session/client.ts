import { Channel } from '../channel/channel.ts';
import { channelConfig } from '../channel/config.ts';
import { webSocketTransport } from '../channel/websocket.ts';
import { rendererToken } from '../contracts/renderer.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import type { PingMeter } from '../events/ping-stats.ts';
import type { Reporter } from '../events/reporter.ts';
import { clientHooks, hooksToken } from '../hooks/client-hooks.ts';
import type { Hook, HookFault } from '../hooks/hook.ts';
import type { SessionFacts } from '../index.ts';
import { startInput } from '../input/index.ts';
import { textsToken } from '../overlay/messages.ts';
import type { Messages } from '../overlay/messages.ts';
import { Overlay } from '../overlay/overlay.ts';
import type { ShellView } from '../overlay/shell-view.ts';
import { openClientScope } from '../plugins/client-scope.ts';
import type { ClientServices } from '../plugins/client-scope.ts';
import type { Gated } from '../plugins/gate.ts';
import { PluginLoader } from '../plugins/loader.ts';
import type { OpcodeTable } from '../plugins/opcodes.ts';
import { pluginStorage } from '../plugins/plugin-storage.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import { AppError } from '../protocol/errors.ts';
import { disconnect, loadState, pluginWithdrawn, siteCaps, surrogateLost } from '../protocol/core-messages.ts';
import { reloadOnInput } from './detached.ts';
import type { PageAddress } from './page-address.ts';
import type { Paired } from './pairing.ts';
import { tellPresence } from './presence.ts';
import type { SessionInfo } from './session-info.ts';

/** The main frame's number: what it shows is the page. */
const MAIN_FRAME = 1;
/** A page that is shown but does not finish loading counts as ready after this time. */
const READY_AFTER_MS = 5000;

/** What a client is made of, once its tab is paired. */
export interface ClientOptions {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly address: PageAddress;
  readonly answer: Paired;
  readonly tabId: string;
  readonly table: OpcodeTable;
  readonly gated: Gated;
  readonly reporter: Reporter;
  readonly pings: PingMeter;
  readonly messages: Messages;
  readonly shell: ShellView;
  /** Pairs anew, at the cost of what this page holds. */
  readonly reload: (why: string) => void;
}

/** Runs a paired tab until its channel dies: channel, dispatcher, plugins, input, and what the core itself is told by the host. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { window, info, address, answer, table, gated, reporter, pings, messages, shell, reload } = options;
  const report = reporter.report.bind(reporter);
  const services = new ServiceRegistry();
  const onHookFault: HookFault = ({ code, message }, hook, plugin) => {
    report('tc-hook-fault', { hook, plugin, code, message }, { level: 'error', force: true });
  };
  const hooks = clientHooks(onHookFault);
  const overlay = new Overlay({
    document: window.document,
    texts: messages,
    report,
    origin: window.location.origin,
    hash: answer.ui_frame_hash ?? '',
    apiVersion: info.TC_API_VERSION,
  });
  services.provide(hooksToken, hooks);
  services.provide(textsToken, messages);

  const page = { url: address.url };
  let sites: Readonly<Record<string, unknown>> = answer.site_caps ?? {};
  const session: SessionFacts = {
    capabilities: answer.client_caps ?? {},
    siteCapabilities: () => sites,
    pageUrl: () => page.url,
    prefix: address.prefix,
    cid: answer.cid,
    tabId: options.tabId,
  };

  const dispatcher = new Dispatcher({
    table,
    transmit: (lane, packet) => {
      channel.send(lane, packet);
    },
    report,
    ownerOf: (op) => ownerOf(op),
    readiness: (owner) => loader.readiness(owner),
  });
  const ownerOf = (op: number | string): string | undefined =>
    table.ownerOf(op) ??
    gated.plugins.find(({ grant }) => typeof op === 'number' && op >= grant.base && op < grant.base + grant.count)
      ?.manifest.id;

  const onReached = (frame: number): void => {
    if (frame === MAIN_FRAME) shown();
  };
  const core: ClientServices = {
    dispatcher,
    services,
    events: reporter,
    session,
    debug: info.DEBUG,
    slotsOf: (plugin) => overlay.slotsOf(plugin),
    storageOf: pluginStorage,
    onReached,
  };
  const loader = new PluginLoader({
    plugins: gated.plugins,
    open: ({ grant }) => openClientScope(core, grant),
    report,
    onSettled: (id) => {
      dispatcher.settled(id);
    },
    provided: services.names(),
  });
  const notify = <A>(hook: Hook<A, void> & { call(argument: A): void }, argument: A): void => {
    const needed = loader.neededFor(hook.name);
    if (needed) void needed.then(() => hook.call(argument));
    else hook.call(argument);
  };

  let isShown = false;
  const shown = (): void => {
    if (isShown) return;
    isShown = true;
    window.document.documentElement.dataset['vitrineShown'] = '';
    setTimeout(() => {
      if (shell.state === 'loading') shell.state = 'ready';
    }, READY_AFTER_MS);
    notify(hooks.ready, { url: page.url });
    const activate = (): void => void loader.activateAll('idle');
    if ('requestIdleCallback' in window) window.requestIdleCallback(activate);
    else setTimeout(activate); // WebKit
  };
  let stopInput: (() => void) | undefined;
  const lost = (reason: string, view: () => void): void => {
    stopInput?.(); // S-076
    dispatcher.close(new AppError('channel-dead', reason));
    if (isShown) {
      shell.state = 'detached';
      shell.notice(messages.text('ID_DETACHED'));
      reloadOnInput(window, services.find(rendererToken), () => reload('detached'));
    } else view();
    notify(hooks.detached, { reason });
  };

  dispatcher.handle(loadState, ({ state, url }) => {
    if (url !== '') page.url = url;
    shell.state = state;
    if (state === 'ready') shown();
    else notify(hooks.pageChanged, { url: page.url });
  });
  dispatcher.handle(siteCaps, (capabilities) => {
    sites = capabilities;
  });
  dispatcher.handle(pluginWithdrawn, ({ id }) => {
    loader.withdraw(id);
  });
  dispatcher.handle(surrogateLost, ({ reason, restored }) => {
    report('tc-surrogate-lost', { reason, restored }, { level: 'warning', force: true });
    if (restored) return;
    shell.fail({
      code: 'surrogate-lost',
      title: messages.text('ID_ERROR_TITLE'),
      description: messages.text('ID_ERROR_SURROGATE', { reason }),
      retry: () => reload('surrogate lost'),
    });
  });
  dispatcher.handle(disconnect, ({ reason, reconnect }) => {
    isEnded = true;
    channel.close();
    if (reconnect) reload(reason);
    else
      shell.fail({
        code: 'disconnect',
        title: messages.text('ID_ERROR_ENDED_TITLE'),
        description: messages.text('ID_ERROR_ENDED', { reason }),
        retry: () => reload('ended'),
      });
  });

  let isEnded = false;
  const channel = new Channel({
    config: channelConfig(),
    transports: [webSocketTransport(window.location.origin)],
    query: {
      cid: answer.cid,
      rid: answer.rid ?? '',
      tab_id: options.tabId,
      ...(answer.cluster_id !== undefined && { cl: answer.cluster_id }),
    },
    events: {
      packet: (lane, packet) => {
        dispatcher.receive(lane, packet);
      },
      roundTrip: (ms, mode) => {
        pings.add(ms, mode);
      },
      latency: (level) => {
        window.document.documentElement.dataset['vitrineLatency'] = String(level);
      },
      fault: ({ code, message }) => {
        report(
          code === 'websocket-create-failed' ? 'tc-websocket-create-failed' : 'tc-channel-fault',
          { code, message },
          { level: 'error' },
        );
      },
      status: (status, reason = 'client-close') => {
        if (status !== 'dead' || isEnded) return;
        report('tc-channel-dead', { reason }, { level: 'warning', force: true });
        lost(reason, () => {
          shell.fail({
            code: 'channel-dead',
            title: messages.text('ID_ERROR_TITLE'),
            description: messages.text('ID_ERROR_CHANNEL', { reason }),
            retry: () => reload(reason),
          });
        });
      },
    },
  });
  window.addEventListener('online', () => {
    channel.wake();
  });

  await loader.activateAll('boot');
  dispatcher.started();
  if (shell.state === 'pairing') shell.state = 'loading';
  const renderer = services.find(rendererToken);
  if (renderer) stopInput = startInput(renderer, dispatcher);
  tellPresence(window, {
    send: (message, params) => {
      if (channel.status !== 'dead') dispatcher.send(message, params);
    },
  });
}
