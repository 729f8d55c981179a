import { clientHooks, hooksToken } from '../contracts/client-hooks.ts';
import type { ClientHooks } from '../contracts/client-hooks.ts';
import type { ClientScope, PairingFacts } from '../contracts/client-scope.ts';
import { helperToken } from '../contracts/cross-origin-frame.ts';
import { inputToken } from '../contracts/input-devices.ts';
import { policyToken } from '../contracts/policy-answers.ts';
import type { PolicyValues } from '../contracts/policy-answers.ts';
import { textsToken } from '../contracts/texts.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { openInput } from '../input/index.ts';
import { openClientScope } from '../loader/client-scope.ts';
import type { ClientServices } from '../loader/client-scope.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import type { PluginGrant } from '../plugins/opcodes.ts';
import { pairingFacts } from '../session/pairing/pairing-facts.ts';
import type { TestOverlay } from './overlay.ts';
import type { TestRecords } from './records.ts';

/** Properties of the session that a test simulates for a client half. */
export interface TestClientOptions {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly siteCapabilities?: Readonly<Record<string, unknown>>;
  readonly prefix?: string;
  readonly pairing?: Partial<PairingFacts>;
  /** Values of the host's policy. */
  readonly policy?: PolicyValues;
  /** Opens a window as `SessionFacts.openTab` does; unless given, none is returned. */
  readonly openTab?: ClientScope['session']['openTab'];
  /** Answers calls to the helper frame. */
  readonly helper?: (method: string, params: object) => Promise<unknown>;
}

/** Parts of a client that others make. */
interface TestClientParts {
  readonly grant: PluginGrant;
  readonly dispatcher: Dispatcher;
  readonly overlay: TestOverlay;
  readonly records: TestRecords;
  readonly pageUrl: () => string;
}

/** A client half's surroundings, and records of what it has done with them. */
interface TestClient {
  readonly scope: ClientScope;
  readonly hooks: ClientHooks;
  readonly services: ServiceRegistry;
  readonly input: Pick<ReturnType<typeof openInput>, 'start' | 'stop'>;
  readonly opened: readonly string[];
  readonly reloads: readonly string[];
  readonly helped: readonly (readonly [method: string, params: object])[];
  readonly acted: readonly (readonly [action: string, extras: PolicyValues | undefined])[];
  dispose(): void;
}

const FACTS = { tabId: 'tab', mpaId: undefined, origin: 'https://vitrine.test', resumed: false, isShown: () => true };

/** Makes the surroundings of a client half: the core's services, its session and its storage. */
export function testClient(parts: TestClientParts, options: TestClientOptions): TestClient {
  const { grant, dispatcher, overlay, records, pageUrl } = parts;
  const { policy = {}, helper } = options;
  const opened: string[] = [];
  const reloads: string[] = [];
  const helped: [string, object][] = [];
  const acted: [string, PolicyValues | undefined][] = [];
  const hooks = clientHooks(records.onFault);
  const input = openInput(dispatcher);
  const services = new ServiceRegistry();
  services.provide(hooksToken, hooks);
  services.provide(inputToken, input);
  services.provide(textsToken, {
    language: 'en',
    direction: 'ltr',
    load: () => Promise.resolve(),
    text: (id) => id,
  });
  services.provide(policyToken, {
    query: () => Promise.resolve(policy),
    act: async (action, extras) => {
      acted.push([action, extras]);
      return policy;
    },
  });
  services.provide(helperToken, {
    call: async (method, params) => {
      helped.push([method, params]);
      return helper?.(method, params);
    },
    useInspectHost: async (use) => void helped.push(['useInspectHost', { use }]),
  });
  const { scope, dispose } = openClientScope(
    {
      dispatcher,
      services,
      events: records,
      session: testSession(options, { hooks, pageUrl, opened, reloads }),
      debug: false,
      slotsOf: (plugin) => overlay.slotsOf(plugin),
      storageOf: memoryStorage(),
    },
    grant,
  );
  return { scope: { ...scope, log: records.log }, hooks, services, input, opened, reloads, helped, acted, dispose };
}

/** Facts of the session of a test, and lists in which it notes acts of the client half. */
interface TestSessionParts {
  readonly hooks: ClientHooks;
  readonly pageUrl: () => string;
  readonly opened: string[];
  readonly reloads: string[];
}

/** The session as the client half sees it. */
function testSession(
  { capabilities = {}, siteCapabilities = {}, prefix = '/', pairing = {}, openTab }: TestClientOptions,
  { hooks, pageUrl, opened, reloads }: TestSessionParts,
): ClientServices['session'] {
  return {
    capabilities,
    siteCapabilities: () => siteCapabilities,
    pageUrl,
    prefix,
    cid: 'cid',
    tabId: 'tab',
    pairing: {
      ...pairingFacts({ cid: 'cid', safe_rid: 'safe', client_caps: { ...capabilities } }, FACTS),
      ...pairing,
    },
    openTab: (path, ...rest) => {
      opened.push(path);
      return openTab?.(path, ...rest) ?? null;
    },
    reload: (why) => void reloads.push(why),
    gatherActions: async (list) => hooks.tabActions.call(list),
    isConnected: () => true,
    bytesReceived: () => 0,
  };
}

/** Storage of one plugin, in memory. */
function memoryStorage(): ClientServices['storageOf'] {
  const stored = new Map<string, unknown>();
  return () => ({
    get: (key) => Promise.resolve(stored.get(key)),
    set: (key, value) => Promise.resolve(void stored.set(key, structuredClone(value))),
    delete: (key) => Promise.resolve(void stored.delete(key)),
  });
}
