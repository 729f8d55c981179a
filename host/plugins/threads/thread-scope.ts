import type { Disposal } from '../../../core/plugins/disposal.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { HostScope } from '../../contracts/host-scope.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import { NO_SERVICE } from './given.ts';
import { listening, messageMethods } from './message-methods.ts';
import { HOOKS } from './tab-methods.ts';
import { threadLog } from './thread-log.ts';
import { threadAccess } from './access-methods.ts';
import { threadInput } from './thread-input.ts';
import type { ThreadWire } from './thread-wire.ts';
import type { TabFacts } from './wire.ts';

/** The scope of a host half that runs in a thread: the same to the half, with every method carried over the wire. */
export function threadScope(wire: ThreadWire, { plugin, options, tab }: TabFacts, disposal: Disposal): HostScope {
  const listen = listening(wire, disposal);
  return {
    plugin,
    log: threadLog(wire),
    signal: disposal.signal,
    onDispose: (undo) => disposal.add(undo),
    ...messageMethods(wire, listen),
    hooks: { tap: (hook, tap, options) => hook.tap(plugin.id, tap, options) },
    services: NO_SERVICE,
    ...threadAccess(wire, options, disposal.signal),
    // Answers of the host to the methods below are trusted, and have the types of the host's side.
    frames: {
      get: (id) => wire.sync('frames.get', id) as never,
      all: () => wire.sync('frames.all') as never,
      ownerOf: async (id) => ((await wire.ask('frames.ownerOf', id)) ?? undefined) as never,
      originOf: async (id) => (await wire.ask('frames.originOf', id)) as never,
      nodeIdOf: async (frame, node) => ((await wire.ask('frames.nodeIdOf', frame, node)) ?? undefined) as never,
      onReady: (listener) => listen('frames.onReady', ([frame]) => listener(frame as never)),
      onNavigated: (listener) => listen('frames.onNavigated', ([frame]) => listener(frame as never)),
      onGone: (listener) => listen('frames.onGone', ([id]) => listener(id as never)),
    },
    cdp: {
      send: async (frame, method, params, options) =>
        (await wire.ask('cdp.send', frame, method, params, options?.deadlineMs)) as never,
      stream: async (frame, method, params, { maxBytes, deadlineMs }) =>
        (await wire.ask('cdp.stream', frame, method, params, maxBytes, deadlineMs)) as never,
      on: (event, listener) =>
        listen('cdp.on', ([params, origin]) => listener(params as never, origin as never), event),
      enable: (domain) => listen('cdp.enable', () => undefined, domain),
      frameId: (frame) => wire.sync('cdp.frameId', frame) as never,
      frameOf: (frameId) => wire.sync('cdp.frameOf', frameId) as never,
      framesOf: (origin) => wire.sync('cdp.framesOf', origin) as never,
    },
    input: threadInput(wire, (undo) => disposal.add(undo)),
    tab: {
      ...tab,
      hooks: tabHooks(wire, disposal),
      url: () => wire.sync('tab.url') as never,
      destination: () => wire.sync('tab.destination') as never,
      policy: (address) => wire.sync('tab.policy', address) as never,
      resource: (kind, address, frame) => wire.sync('tab.resource', kind, address, frame) as never,
      shows: async (path) => (await wire.ask('tab.shows', path)) as never,
      release: async (to) => (await wire.ask('tab.release', to)) as never,
    },
  };
}

/** The tab's hooks, to be tapped only. */
function tabHooks(wire: ThreadWire, disposal: Disposal): TabHooks {
  const hooks = HOOKS.map((name) => [
    name,
    {
      name,
      kind: 'notify',
      tap: (_plugin: string, tap: (given: unknown) => unknown, options?: { readonly stage?: string }) => {
        const undo = wire.listen(
          ([given]) => tap(given),
          (id) => wire.sync('hooks.tap', name, id, options?.stage),
        );
        disposal.add(undo);
        return undo;
      },
      call: () => {
        throw new AppError('not-permitted', 'hooks are called by the host');
      },
    },
  ]);
  return Object.fromEntries(hooks) as TabHooks; // one for each name
}
