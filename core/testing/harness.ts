import type { HostScope, ServiceScope } from '../../host/plugin.ts';
import { createTabHooks } from '../../host/contracts/tab-hooks.ts';
import type { TabHooks } from '../../host/contracts/tab-hooks.ts';
import type { ClientHooks } from '../contracts/client-hooks.ts';
import type { ClientScope } from '../contracts/client-scope.ts';
import type { OptionValue } from '../contracts/declared.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import type { PolicyValues } from '../contracts/policy-answers.ts';
import type { openInput } from '../input/index.ts';
import { Disposal } from '../plugins/disposal.ts';
import { grantOpcodes, OpcodeTable } from '../plugins/opcodes.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import { CORE_MESSAGES } from '../protocol/core-messages.ts';
import { AppError } from '../protocol/errors.ts';
import { testClient } from './client-side.ts';
import type { TestClientOptions } from './client-side.ts';
import { testConnection } from './connection.ts';
import { hostScope, testTab } from './host-scope.ts';
import { testInput } from './input.ts';
import type { InputOptions } from './input.ts';
import { testAccess } from './host-access.ts';
import type { RecordedByPlugin } from './host-access.ts';
import { TestOverlay } from './overlay.ts';
import { testRecords } from './records.ts';
import type { LoggedLine, ReportedEvent } from './records.ts';
import { testService } from './service.ts';
import { TestCdp, TestFrames, TestPage } from './surrogate.ts';
import { Wire } from './wire.ts';

export type { LoggedLine, ReportedEvent } from './records.ts';

/** Options of the session that a test simulates. */
export interface HarnessOptions extends InputOptions, TestClientOptions {
  readonly variant?: string;
  /** Address of the page; `https://site.test/` unless given. */
  readonly url?: string;
  /** Options of the command line that the manifest declares; their fallbacks unless given. */
  readonly options?: Readonly<Record<string, OptionValue>>;
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
  /** Counters and events of its halves in the host. */
  readonly recorded: RecordedByPlugin;
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
  const { capabilities = {}, variant = 'default', url = 'https://site.test/' } = options;
  const records = testRecords();
  const { log, onFault } = records;
  const [grant] = grantOpcodes([{ manifest, variant }]);
  if (!grant) throw new AppError('internal', 'one plugin has one grant');
  const table = new OpcodeTable(CORE_MESSAGES);
  table.add(manifest, grant);

  const wire = new Wire();
  const { dispatcher, endpoint } = testConnection(wire, table, records);
  const frames = new TestFrames(url);
  const page = new TestPage(wire, manifest, frames, onFault);
  const cdp = new TestCdp(manifest);
  const overlay = new TestOverlay();
  const pageUrl = (): string => frames.get(1)?.url ?? url;
  const client = testClient({ grant, dispatcher, overlay, records, pageUrl }, options);

  const hostHooks = createTabHooks(onFault);
  const hostServices = new ServiceRegistry();
  const disposal = new Disposal(onFault);
  const { recorded, ...access } = testAccess(manifest, options.options);
  const service = testService(manifest, { ...access, log, onFault });
  const host = hostScope({
    plugin: { id: grant.id, version: grant.version, variant },
    endpoint,
    tab: testTab(manifest, { capabilities, hooks: hostHooks, url: pageUrl }),
    frames,
    page,
    cdp,
    input: testInput(cdp, options, onFault),
    services: hostServices,
    access: { ...access, service: service.client },
    log,
    disposal,
  });

  return {
    client: client.scope,
    clientHooks: client.hooks,
    clientServices: client.services,
    clientInput: client.input,
    disposeClient: () => client.dispose(),
    host,
    service: service.scope,
    disposeService: service.dispose,
    hostHooks,
    hostServices,
    disposeHost: () => disposal.dispose(),
    page,
    frames,
    cdp,
    overlay,
    opened: client.opened,
    reloads: client.reloads,
    helped: client.helped,
    acted: client.acted,
    events: records.events,
    log: records.lines,
    recorded,
    faults: records.faults,
    flush: () => wire.flush(),
  };
}
