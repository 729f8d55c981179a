import type { CallServer } from '../channel/server-call.ts';
import { helperToken } from '../contracts/cross-origin-frame.ts';
import type { Helper } from '../contracts/cross-origin-frame.ts';
import { policyToken } from '../contracts/policy-answers.ts';
import type { PolicyAnswers } from '../contracts/policy-answers.ts';
import { rendererToken } from '../contracts/renderer.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { answerSeen } from '../dispatch/answer-seen.ts';
import type { PingMeter } from '../events/ping-stats.ts';
import type { Reporter } from '../events/reporter.ts';
import { clientHooks, hooksToken } from '../contracts/client-hooks.ts';
import type { SessionFacts } from '../contracts/client-scope.ts';
import { startInput } from '../input/index.ts';
import { textsToken } from '../contracts/texts.ts';
import type { Messages } from '../overlay/messages.ts';
import { Overlay } from '../overlay/overlay.ts';
import type { ShellView } from '../overlay/shell-view.ts';
import { openClientScope } from '../plugins/client/client-scope.ts';
import type { ClientServices } from '../plugins/client/client-scope.ts';
import type { Gated } from '../plugins/client/gate.ts';
import { PluginLoader } from '../plugins/client/loader.ts';
import type { OpcodeTable } from '../plugins/opcodes.ts';
import { pluginStorage } from '../plugins/client/plugin-storage.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import type { RenderParams } from '../protocol/pairing.ts';
import type { Packet } from '../protocol/endpoint.ts';
import { AppError } from '../protocol/errors.ts';
import type { Lane } from '../protocol/lanes.ts';
import { getPersistentPolicy } from '../protocol/core-messages.ts';
import { reloadOnInput } from './recovery/detached.ts';
import { framingStatus, isFramingForbidden } from './shell/framing.ts';
import type { PageAddress } from './shell/page-address.ts';
import { PageState } from './page/page-state.ts';
import type { Paired } from './pairing/pairing.ts';
import { pairingFacts } from './pairing/pairing-facts.ts';
import { openChannel } from './connection/open-channel.ts';
import { ScriptLoader } from '../plugins/client/script-loader.ts';
import type { SessionInfo } from './shell/session-info.ts';
import { handleCore } from './page/core-handlers.ts';

/** The main frame's number: what it shows is the page. */
const MAIN_FRAME = 1;

/** What a client is made of, once its tab is paired. */
interface ClientOptions {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly address: PageAddress;
  readonly answer: Paired;
  readonly tabId: string;
  readonly table: OpcodeTable;
  readonly gated: Gated;
  readonly call: CallServer;
  readonly reporter: Reporter;
  readonly pings: PingMeter;
  readonly messages: Messages;
  readonly shell: ShellView;
  /** Pairs anew, at the cost of what this page holds. */
  readonly reload: (why: string) => void;
  readonly openTab: (path: string) => void;
  /** There is something to see. */
  readonly onShown: () => void;
  /** What the host has been told of the view. */
  readonly told: RenderParams;
  /** Keeps what policy wants to be told at the next pairing. */
  readonly keepPolicy: (policy: unknown) => void;
}

/** Runs a paired tab until its channel dies: channel, dispatcher, plugins, input, and what the core itself is told by the host. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { window, info, address, answer, table, gated, reporter, messages, shell, reload } = options;
  const report = reporter.report.bind(reporter);
  const hooks = clientHooks(({ code, message }, hook, plugin) => {
    report('tc-hook-fault', { hook, plugin, code, message }, { level: 'error', force: true });
  });
  const services = new ServiceRegistry();
  services.provide(hooksToken, hooks);
  services.provide(textsToken, messages);
  let helper: Promise<Helper> | undefined;
  const helping = (): Promise<Helper> =>
    (helper ??= import('./cof/client.ts').then(({ openHelper }) => openHelper(window, info, report)));
  services.provide(helperToken, {
    call: async (...call) => (await helping()).call(...call),
    useInspectHost: async (use) => (await helping()).useInspectHost(use),
  });
  const policy = async (): Promise<PolicyAnswers> => {
    const { policyCalls } = await import('./connection/policy-calls.ts');
    return policyCalls({
      call: options.call,
      report,
      session: { cid: answer.cid, cl: answer.cluster_id, safe_rid: answer.safe_rid },
      tabId: options.tabId,
      pageUrl: () => page.url,
      host: window.location.host,
      proxied: info.TPROXY_ENABLED,
    });
  };
  services.provide(policyToken, {
    query: async (keys) => (await policy()).query(keys),
    act: async (...action) => (await policy()).act(...action),
  });
  const overlay = new Overlay({
    document: window.document,
    texts: messages,
    report,
    origin: window.location.origin,
    hash: answer.ui_frame_hash ?? '',
    apiVersion: info.TC_API_VERSION,
  });
  const page = new PageState({
    window,
    url: address.url,
    siteCapabilities: answer.site_caps ?? {},
    hooks,
    shell,
    onShown: options.onShown,
    loader: () => loader,
  });
  const pairing = pairingFacts(answer, {
    tabId: options.tabId,
    mpaId: address.mpaId,
    origin: window.location.origin,
    isShown: () => page.isShown,
  });
  const session: SessionFacts = {
    capabilities: pairing.client_caps,
    siteCapabilities: () => page.siteCapabilities,
    pageUrl: () => page.url,
    prefix: address.prefix,
    cid: pairing.cid,
    tabId: pairing.tab_id,
    pairing,
    openTab: options.openTab,
    reload,
    bytesReceived: () => channel.bytesReceived,
  };
  const dispatcher = new Dispatcher({
    table,
    transmit: (lane, packet) => {
      channel.send(lane, packet);
    },
    report,
    ownerOf: (op) => table.ownerOf(op) ?? granted(gated, op),
    readiness: (owner) => loader.readiness(owner),
    shutDown: ({ message: reason }) => {
      leave();
      shell.fail({
        code: 'shutdown',
        title: messages.text('ID_ERROR_ENDED_TITLE'),
        description: messages.text('ID_ERROR_ENDED', { reason }),
        retry: () => reload('ended'),
      });
    },
  });
  answerSeen(dispatcher, window, () => services.find(rendererToken));
  const core: ClientServices = {
    dispatcher,
    services,
    events: reporter,
    session,
    debug: info.DEBUG,
    slotsOf: (plugin) => overlay.slotsOf(plugin),
    storageOf: pluginStorage,
    onReached: (frame) => {
      if (frame === MAIN_FRAME) page.show();
    },
  };
  const scripts = new ScriptLoader(window.document, report);
  for (const { module, manifest } of gated.plugins)
    if (module !== undefined && manifest.activation !== 'first-use') void scripts.preload(module);
  const loader = new PluginLoader({
    plugins: gated.plugins.map((plugin) => ({
      ...plugin,
      load: () => scripts.load(plugin.module ?? plugin.manifest.id, plugin.load),
    })),
    open: ({ grant }) => openClientScope(core, grant),
    report,
    onSettled: (id) => {
      dispatcher.settled(id);
    },
    provided: services.names(),
  });

  let stopInput: (() => void) | undefined;
  let isLeft = false;
  const onPacket = (lane: Lane, packet: Packet): void => {
    dispatcher.receive(lane, packet);
  };
  const channel = openChannel(options, onPacket, (reason) => {
    if (isLeft) return;
    stopInput?.(); // S-076
    report('tc-channel-dead', { reason }, { level: 'warning', force: true });
    dispatcher.close(new AppError('channel-dead', reason));
    if (page.isShown && pairing.reload_allowed) {
      shell.state = 'detached'; // a tab that nobody looks at stays so
      shell.notice('channel', messages.text('ID_DETACHED'));
      reloadOnInput({
        window,
        renderer: services.find(rendererToken),
        reload: () => reload('detached'),
        onAway: () => shell.notice('channel', messages.text('ID_TC_RECONNECT_ERROR')),
      });
    } else {
      shell.fail({
        code: 'channel-dead',
        title: messages.text('ID_ERROR_TITLE'),
        description: messages.text('ID_ERROR_CHANNEL', { reason }),
        retry: () => {
          reload(reason);
        },
      });
    }
    page.notify(hooks.detached, { reason });
  });
  const leave = (): void => {
    isLeft = true;
    stopInput?.();
    channel.close();
  };
  const checkFraming = (capabilities: Readonly<Record<string, unknown>>): void => {
    if (!isFramingForbidden(capabilities['framing_restriction'], framingStatus(window))) return;
    report('tc-disallowed-framing', {}, { level: 'warning' });
    leave();
    shell.state = 'error';
    services.find(rendererToken)?.view.remove();
    shell.notice('framing', messages.text('ID_FRAMING')); // M-066
  };
  handleCore(dispatcher, {
    page,
    hooks,
    loader,
    shell,
    texts: messages,
    report,
    leave,
    reload,
    onSiteCaps: checkFraming,
    keepPolicy: options.keepPolicy,
  });

  const booted = loader.activateAll('boot');
  await scripts.completed(booted);
  dispatcher.started();
  if (shell.state === 'pairing') shell.state = 'loading';
  checkFraming(page.siteCapabilities);
  if (channel.status !== 'dead') dispatcher.send(getPersistentPolicy, {});
  await booted; // what came late, too
  const renderer = services.find(rendererToken);
  if (!renderer) report('surrogate-view-start-failed', { plugins: answer.plugins?.length ?? 0 }, { level: 'error' });
  else if (channel.status !== 'dead') stopInput = startInput(renderer, dispatcher, report);
  const { accompany } = await import('./tab/accompany.ts');
  accompany({ window, told: options.told, renderer, commands: dispatcher, channel, report });
}

/** The plugin that an opcode was granted to, whose messages are not known before it is loaded. */
function granted({ plugins }: Gated, op: number | string): string | undefined {
  if (typeof op === 'string') return undefined;
  return plugins.find(({ grant: { base, count } }) => op >= base && op < base + count)?.manifest.id;
}
