import type { HostInput, HostScope, Tab } from '../../host/plugin.ts';
import { decideFor } from '../../host/policy/decision.ts';
import { declaredBy, settingsTable } from '../../host/policy/settings-table.ts';
import { sliceOf } from '../../host/policy/slice.ts';
import type { Log } from '../contracts/scope.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import type { Disposal } from '../plugins/disposal.ts';
import type { ServiceRegistry } from '../plugins/services.ts';
import type { Endpoint } from '../protocol/endpoint.ts';
import type { TestCdp, TestFrames, TestPage } from './surrogate.ts';

/** A tab whose resource addresses count up: `/c/i/1`. */
export function testTab(
  manifest: AnyManifest,
  { capabilities, hooks, url }: Pick<Tab, 'capabilities' | 'hooks' | 'url'>,
): Tab {
  const slice = sliceOf(undefined, { subject: 'person', tenant: 'default', groups: [] });
  const table = settingsTable(declaredBy([{ manifest, external: false }]));
  const addresses = new Map<string, string>();
  return {
    id: 'tab',
    cid: 'cid',
    person: 'person',
    capabilities,
    policy: () => decideFor(slice, table).settings,
    hooks,
    url,
    destination: () => undefined,
    release: () => Promise.resolve(true),
    resource: (kind, address) => {
      const known = addresses.get(`${kind} ${address}`) ?? `/c/${kind}/${addresses.size + 1}`;
      addresses.set(`${kind} ${address}`, known);
      return known;
    },
    shows: () => Promise.resolve(true),
  };
}

/** Parts of a host scope of the harness. */
interface HostScopeParts {
  readonly plugin: HostScope['plugin'];
  readonly endpoint: Endpoint;
  readonly tab: Tab;
  readonly frames: TestFrames;
  readonly page: TestPage;
  readonly cdp: TestCdp;
  readonly input: HostInput;
  readonly services: ServiceRegistry;
  readonly access: Pick<HostScope, 'service' | 'options' | 'records'>;
  readonly log: Log;
  readonly disposal: Disposal;
}

/** The scope of a host half over parts that a test plays. */
export function hostScope(parts: HostScopeParts): HostScope {
  const { plugin, endpoint, tab, frames, page, cdp, input, services, access, log, disposal } = parts;
  return {
    plugin,
    tab,
    input,
    ...access,
    log,
    signal: disposal.signal,
    frames: {
      get: (id) => frames.get(id),
      all: () => frames.all(),
      ownerOf: (id) => frames.ownerOf(id),
      originOf: (id) => frames.originOf(id),
      nodeIdOf: (frame, node) => frames.nodeIdOf(frame, node),
      onReady: (listener) => disposal.once(frames.onReady(listener)),
      onNavigated: (listener) => disposal.once(frames.onNavigated(listener)),
      onGone: (listener) => disposal.once(frames.onGone(listener)),
    },
    page: { ...page.bus, handle: (message, handler) => disposal.once(page.bus.handle(message, handler)) },
    cdp: {
      ...cdp.broker,
      on: (event, listener) => disposal.once(cdp.broker.on(event, listener)),
      enable: (domain) => disposal.once(cdp.broker.enable(domain)),
    },
    commands: {
      send: (message, params, ...options) => {
        endpoint.send(message, params, ...options);
      },
      call: (message, params, ...options) => endpoint.call(message, params, ...options),
      handle: (message, handler) => disposal.once(endpoint.handle(message, handler)),
    },
    hooks: { tap: (hook, tap, options) => disposal.once(hook.tap(plugin.id, tap, options)) },
    services: services.of(plugin.id, disposal),
    onDispose: (undo) => {
      disposal.add(undo);
    },
  };
}
