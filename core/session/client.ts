import type { CallServer } from '../channel/server-call.ts';
import { clientHooks } from '../contracts/client-hooks.ts';
import type { ClientScope, SessionFacts } from '../contracts/client-scope.ts';
import { rendererToken } from '../contracts/renderer.ts';
import type { Renderer } from '../contracts/renderer.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { answerSeen } from '../dispatch/answer-seen.ts';
import type { PingMeter } from '../events/ping-stats.ts';
import type { Report } from '../events/report.ts';
import type { Reporter } from '../events/reporter.ts';
import { inputToken } from '../contracts/input-devices.ts';
import { openInput } from '../input/index.ts';
import type { Messages } from '../overlay/messages.ts';
import { Overlay } from '../overlay/overlay.ts';
import type { ShellView } from '../overlay/shell-view.ts';
import { openClientScope } from '../loader/client-scope.ts';
import type { ClientServices } from '../loader/client-scope.ts';
import type { Gated } from '../loader/gate.ts';
import { PluginLoader } from '../loader/loader.ts';
import { pluginStorage } from '../loader/plugin-storage.ts';
import { ScriptLoader, withScripts } from '../loader/script-loader.ts';
import type { OpcodeTable } from '../plugins/opcodes.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import { getPersistentPolicy } from '../protocol/core-messages.ts';
import type { RenderParams } from '../protocol/pairing.ts';
import type { ChannelAhead } from './connection/open-channel.ts';
import { openDispatcher } from './connection/open-dispatcher.ts';
import { provideCore } from './connection/core-services.ts';
import { handleCore } from './page/core-handlers.ts';
import { PageState } from './page/page-state.ts';
import { pairingFacts, sessionFacts } from './pairing/pairing-facts.ts';
import type { Paired } from './pairing/pairing.ts';
import type { FramedTab } from './recovery/failure.ts';
import { tabEnd } from './tab-end.ts';
import type { PageAddress } from './shell/page-address.ts';
import type { SessionInfo } from './shell/session-info.ts';

/** The main frame's number: what it shows is the page. */
const MAIN_FRAME = 1;

/** Options of a client whose tab is paired. */
export interface ClientOptions {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly address: PageAddress;
  readonly answer: Paired;
  readonly ahead: ChannelAhead | undefined;
  /** See {@link PairingFacts.resumed}. */
  readonly resumed: boolean;
  readonly tabId: string;
  readonly table: OpcodeTable;
  readonly gated: Gated;
  readonly call: CallServer;
  readonly reporter: Reporter;
  readonly pings: PingMeter;
  readonly messages: Messages;
  readonly shell: ShellView;
  readonly store: FramedTab['store'];
  /** Pairs anew, at the cost of what this page holds. */
  readonly reload: (why: string) => void;
  readonly openTab: SessionFacts['openTab'];
  /** There is something to see. */
  readonly onShown: () => void;
  /** Parameters of the view that the host has. */
  readonly sentParams: RenderParams;
  /** Keeps what policy wants to be sentParams at the next pairing. */
  readonly keepPolicy: (policy: unknown) => void;
  /** Of the tab; undefined where the browser's settings forbid it. */
  readonly storage: Storage | undefined;
}

/** State that the parts of a running client share. */
interface Running extends ClientOptions {
  readonly report: Report;
  readonly services: ServiceRegistry;
  readonly page: PageState;
}

/** Runs a paired tab until its channel dies: channel, dispatcher, plugins, input, and the messages of the core itself. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { window, address, answer, reporter, shell } = options;
  const report = reporter.report.bind(reporter);
  const hooks = clientHooks(({ code, message }, hook, plugin) => {
    report('tc-hook-fault', { hook, plugin, code, message }, { level: 'error', force: true });
  });
  const services = new ServiceRegistry();
  const renderer = (): Renderer | undefined => services.find(rendererToken);
  const page = new PageState({
    ...options,
    url: address.url,
    siteCapabilities: answer.site_caps ?? {},
    hooks,
    loader: () => loader,
  });
  const pairing = pairingFacts(answer, {
    tabId: options.tabId,
    mpaId: address.mpaId,
    origin: window.location.origin,
    resumed: options.resumed,
    isShown: () => page.isShown,
  });
  const running = { ...options, report, hooks, services, page };
  provideCore(services, running);
  const { channel, dispatcher } = openDispatcher(running, {
    readiness: (owner) => loader.readiness(owner),
    shutDown: (reason) => end.shutDown(reason),
    dead: (reason) => end.channelDead(reason),
  });
  answerSeen(dispatcher, window, renderer);
  const input = openInput(dispatcher);
  services.provide(inputToken, input);
  const withdrawAll = (): void => loader.dispose();
  const mayReturn = pairing.reload_allowed;
  const end = tabEnd({ ...running, renderer, withdrawAll, input, channel, dispatcher, mayReturn });
  const session = sessionFacts(running, pairing, channel);
  const scripts = new ScriptLoader(window.document, report);
  const loader = openLoader(running, dispatcher, session, scripts, (id) => {
    const found = renderer();
    if (found && !end.isLeft()) input.start(found); // other plugins may still be loading
    dispatcher.settled(id);
  });
  handleCore(dispatcher, {
    ...running,
    loader,
    detach: end.channelDead,
    surrogateLost: end.surrogateLost,
    onSiteCaps: (capabilities) => void end.checkFraming(capabilities),
  });

  await end.checkFraming(page.siteCapabilities);
  if (end.isLeft()) return;
  const booted = loader.activateAll('boot');
  await scripts.completed(booted);
  dispatcher.started();
  if (shell.state === 'pairing') shell.state = 'loading';
  page.booted();
  if (channel.status !== 'dead') dispatcher.send(getPersistentPolicy, {});
  await booted; // what came late, too
  const found = renderer();
  if (!found && !end.isLeft())
    report('surrogate-view-start-failed', { plugins: answer.plugins?.length ?? 0 }, { level: 'error' });
  const { accompany } = await import('./tab/accompany.ts');
  accompany({ ...options, renderer: found, commands: dispatcher, channel, report, loader });
}

/** The loader of the client halves, with the overlay that they fill. */
function openLoader(
  { window, info, answer, messages, gated, reporter, report, services, page }: Running,
  dispatcher: Dispatcher,
  session: SessionFacts,
  scripts: ScriptLoader,
  onSettled: (id: string) => void,
): PluginLoader<ClientScope> {
  const overlay = new Overlay({
    document: window.document,
    texts: messages,
    report,
    origin: window.location.origin,
    hash: answer.ui_frame_hash ?? '',
    apiVersion: info.TC_API_VERSION,
  });
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
  return new PluginLoader({
    plugins: withScripts(gated.plugins, scripts),
    open: ({ grant }) => openClientScope(core, grant),
    report,
    onSettled,
    provided: services.names(),
  });
}
