import type { HostScope, ServiceScope } from '../../host/plugin.ts';
import { createTabHooks } from '../../host/hooks.ts';
import type { TabHooks } from '../../host/hooks.ts';
import type { Log } from '../contracts/scope.ts';
import { helperToken } from '../contracts/cross-origin-frame.ts';
import { policyToken } from '../contracts/policy-answers.ts';
import type { PolicyValues } from '../contracts/policy-answers.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { clientHooks, hooksToken } from '../contracts/client-hooks.ts';
import type { ClientHooks } from '../contracts/client-hooks.ts';
import type { HookFault } from '../hooks/hook.ts';
import type { ClientScope, PairingFacts } from '../contracts/client-scope.ts';
import { inputToken } from '../contracts/input-devices.ts';
import { textsToken } from '../contracts/texts.ts';
import { openInput } from '../input/index.ts';
import { openClientScope } from '../plugins/client/client-scope.ts';
import { Disposal } from '../plugins/disposal.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import { grantOpcodes, OpcodeTable } from '../plugins/opcodes.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import { CORE_MESSAGES } from '../protocol/core-messages.ts';
import { textBodies } from '../protocol/bodies/text-bodies.ts';
import { Endpoint } from '../protocol/endpoint.ts';
import { AppError } from '../protocol/errors.ts';
import { pairingFacts } from '../session/pairing/pairing-facts.ts';
import { hostScope, testTab } from './host-scope.ts';
import { testInput } from './input.ts';
import type { InputOptions } from './input.ts';
import { TestOverlay } from './overlay.ts';
import { testService } from './service.ts';
import { TestCdp, TestFrames, TestPage } from './surrogate.ts';
import { Wire } from './wire.ts';

/** Options of the session that a test simulates. */
export interface HarnessOptions extends InputOptions {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly siteCapabilities?: Readonly<Record<string, unknown>>;
  readonly variant?: string;
  /** Address of the page; `https://site.test/` unless given. */
  readonly url?: string;
  readonly prefix?: string;
  readonly pairing?: Partial<PairingFacts>;
  /** Values of the host's policy. */
  readonly policy?: PolicyValues;
  /** Answers calls to the helper frame. */
  readonly helper?: (method: string, params: object) => Promise<unknown>;
}

const FACTS = { tabId: 'tab', mpaId: undefined, origin: 'https://vitrine.test', isShown: () => true };

/** A client event as a plugin reported it. */
export interface ReportedEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly level: string;
}

/** One line that a half has logged. */
export interface LoggedLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly data: Record<string, unknown> | undefined;
}

/**
 * One plugin between a client, a host and a page that a test plays. Messages go through real endpoints with the plugin's own
 * schemas and opcodes, as JSON. No timer is used: a fake clock goes with it.
 */
export interface PluginHarness<M = object> {
  /** For the client half: `activate(harness.client)`. */
  readonly client: ClientScope<M>;
  readonly clientHooks: ClientHooks;
  readonly clientServices: ServiceRegistry;
  /** The person's input: devices listen from `start(renderer)` to `stop()`. */
  readonly clientInput: Pick<ReturnType<typeof openInput>, 'start' | 'stop'>;
  readonly disposeClient: () => void;
  /** For the host half: `activate(harness.host)`. */
  readonly host: HostScope<M>;
  readonly hostHooks: TabHooks;
  readonly hostServices: ServiceRegistry;
  readonly disposeHost: () => void;
  /** For the service half: `activateService(harness.service)`; `host.service` calls it. */
  readonly service: ServiceScope;
  readonly disposeService: () => void;
  /** Plays the page halves. */
  readonly page: TestPage;
  readonly frames: TestFrames;
  readonly cdp: TestCdp;
  readonly overlay: TestOverlay;
  /** Paths that the client half has opened in tabs of their own, and why it has paired anew. */
  readonly opened: readonly string[];
  readonly reloads: readonly string[];
  /** Calls to the helper frame. */
  readonly helped: readonly (readonly [method: string, params: object])[];
  /** Policy actions that the client half has taken. */
  readonly acted: readonly (readonly [action: string, extras: PolicyValues | undefined])[];
  readonly events: readonly ReportedEvent[];
  readonly log: readonly LoggedLine[];
  /** Faults that have no caller: bad messages, handlers that throw. */
  readonly faults: readonly AppError[];
  /** Resolves when all that is under way has arrived. */
  readonly flush: () => Promise<void>;
}

/** Makes the surroundings of one plugin for a test. */
export function pluginHarness<const M extends AnyManifest>(
  manifest: M,
  options: HarnessOptions = {},
): PluginHarness<M> {
  const {
    capabilities = {},
    siteCapabilities = {},
    variant = 'default',
    prefix = '/',
    url = 'https://site.test/',
    pairing = {},
    helper,
    policy = {},
  } = options;
  const opened: string[] = [];
  const reloads: string[] = [];
  const helped: [string, object][] = [];
  const acted: [string, PolicyValues | undefined][] = [];
  const wire = new Wire();
  const faults: AppError[] = [];
  const events: ReportedEvent[] = [];
  const log: LoggedLine[] = [];
  const onFault = (fault: AppError): void => void faults.push(fault);
  const onHookFault: HookFault = onFault;
  const [grant] = grantOpcodes([{ manifest, variant }]);
  if (!grant) throw new AppError('internal', 'one plugin has one grant');
  const table = new OpcodeTable(CORE_MESSAGES);
  table.add(manifest, grant);

  const report = (name: string, data: ReportedEvent['data'] = {}, { level = 'info' } = {}): void => {
    events.push({ name, data, level });
  };
  const toHost = wire.to((_lane, packet) => {
    hostEnd.receive(packet);
  });
  const toClient = wire.to((lane, packet) => {
    dispatcher.receive(lane, packet);
  });
  const clientBodies = textBodies({ transmit: toHost, onFault });
  const hostBodies = textBodies({ transmit: toClient, onFault });
  const dispatcher = new Dispatcher({
    table,
    transmit: (...sent) => clientBodies.send(...sent),
    bodies: clientBodies,
    report: (name, data, given) => {
      const { code, message } = data ?? {};
      if (typeof code !== 'string') report(name, data, given);
      else onFault(new AppError(code, String(message)));
    },
    ownerOf: (op) => table.ownerOf(op),
    readiness: () => 'active',
    shutDown: onFault,
  });
  const hostEnd = new Endpoint({
    table,
    transmit: (...sent) => hostBodies.send(...sent),
    bodies: hostBodies,
    onFault,
  });

  const frames = new TestFrames(url);
  const page = new TestPage(wire, manifest, frames, onFault);
  const cdp = new TestCdp(manifest);
  const overlay = new TestOverlay();
  const hooks = clientHooks(onHookFault);
  const clientServices = new ServiceRegistry();
  clientServices.provide(hooksToken, hooks);
  const clientInput = openInput(dispatcher);
  clientServices.provide(inputToken, clientInput);
  clientServices.provide(textsToken, {
    language: 'en',
    direction: 'ltr',
    load: () => Promise.resolve(),
    text: (id) => id,
  });
  clientServices.provide(policyToken, {
    query: () => Promise.resolve(policy),
    act: async (action, extras) => {
      acted.push([action, extras]);
      return policy;
    },
  });
  clientServices.provide(helperToken, {
    call: async (method, params) => {
      helped.push([method, params]);
      return helper?.(method, params);
    },
    useInspectHost: async (use) => void helped.push(['useInspectHost', { use }]),
  });
  const stored = new Map<string, unknown>();
  const client = openClientScope(
    {
      dispatcher,
      services: clientServices,
      events: { report },
      session: {
        capabilities,
        siteCapabilities: () => siteCapabilities,
        pageUrl: () => frames.get(1)?.url ?? url,
        prefix,
        cid: 'cid',
        tabId: 'tab',
        pairing: {
          ...pairingFacts({ cid: 'cid', safe_rid: 'safe', client_caps: { ...capabilities } }, FACTS),
          ...pairing,
        },
        openTab: (path) => void opened.push(path),
        reload: (why) => void reloads.push(why),
        bytesReceived: () => 0,
      },
      debug: false,
      slotsOf: (plugin) => overlay.slotsOf(plugin),
      storageOf: () => ({
        get: (key) => Promise.resolve(stored.get(key)),
        set: (key, value) => Promise.resolve(void stored.set(key, structuredClone(value))),
        delete: (key) => Promise.resolve(void stored.delete(key)),
      }),
    },
    grant,
  );

  const at =
    (level: keyof Log) =>
    (message: string, data?: Record<string, unknown>): void => {
      log.push({ level, message, data });
    };
  const logAll: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const hostHooks = createTabHooks(onHookFault);
  const hostServices = new ServiceRegistry();
  const disposal = new Disposal(onFault);
  const service = testService(manifest, logAll, onFault);
  const host = hostScope({
    plugin: { id: grant.id, version: grant.version, variant },
    endpoint: hostEnd,
    tab: testTab(manifest, {
      capabilities,
      hooks: hostHooks,
      url: () => frames.get(1)?.url ?? url,
    }),
    frames,
    page,
    cdp,
    input: testInput(cdp, options, onFault),
    services: hostServices,
    service: service.client,
    log: logAll,
    disposal,
  });

  return {
    client: { ...client.scope, log: logAll }, // the test says what the client is told
    clientHooks: hooks,
    clientServices,
    clientInput,
    disposeClient: () => {
      client.dispose();
    },
    host,
    service: service.scope,
    disposeService: service.dispose,
    hostHooks,
    hostServices,
    disposeHost: () => {
      disposal.dispose();
    },
    page,
    frames,
    cdp,
    overlay,
    opened,
    reloads,
    helped,
    acted,
    events,
    log,
    faults,
    flush: () => wire.flush(),
  };
}
