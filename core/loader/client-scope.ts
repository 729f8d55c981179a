import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { ClientScope, Events, PluginStorage, SessionFacts } from '../contracts/client-scope.ts';
import type { Slots } from '../contracts/slots.ts';
import type { ServiceRegistry } from '../plugins/services.ts';
import type { PluginGrant } from '../plugins/opcodes.ts';
import { Disposal } from '../plugins/disposal.ts';
import type { DisposableScope } from './loader.ts';
import { pluginLog } from './plugin-log.ts';

/** Services from which client scopes are made, once per session. */
export interface ClientServices {
  readonly dispatcher: Pick<Dispatcher, 'send' | 'call' | 'handle' | 'reached'>;
  readonly services: Pick<ServiceRegistry, 'of'>;
  readonly events: Events;
  readonly session: SessionFacts;
  readonly debug: boolean;
  readonly slotsOf: (plugin: string) => Slots;
  readonly storageOf: (plugin: string) => PluginStorage;
  /** A batch of a frame has been applied, after the dispatcher knows. */
  readonly onReached?: (frame: number) => void;
}

/** Opens the scope of one client half: whatever it registers is undone by `dispose`. */
export function openClientScope(
  core: ClientServices,
  grant: Pick<PluginGrant, 'id' | 'version' | 'variant'>,
): DisposableScope<ClientScope> {
  const plugin = { id: grant.id, version: grant.version, variant: grant.variant };
  const events: Events = {
    report: (name, data, options) => {
      core.events.report(
        name,
        { ...data, plugin: plugin.id, version: plugin.version, variant: plugin.variant },
        options,
      );
    },
  };
  const log = pluginLog(plugin, events, core.debug);
  const disposal = new Disposal((fault) => {
    log.error('an undo failed', { code: fault.code, cause: fault.message });
  });
  const slots = core.slotsOf(plugin.id);
  const { dispatcher } = core;
  const scope: ClientScope = {
    plugin,
    events,
    log,
    session: core.session,
    storage: core.storageOf(plugin.id),
    signal: disposal.signal,
    commands: {
      send: (message, params, ...options) => {
        dispatcher.send(message, params, ...options);
      },
      call: (message, params, ...options) => dispatcher.call(message, params, ...options),
      handle: (message, handler) => disposal.once(dispatcher.handle(message, handler)),
    },
    hooks: { tap: (hook, tap, options) => disposal.once(hook.tap(plugin.id, tap, options)) },
    services: core.services.of(plugin.id, disposal),
    slots: {
      fill: (slot, contribution, props) => disposal.once(slots.fill(slot, contribution, props)),
      ask: (slot, contribution, props, signal) =>
        slots.ask(slot, contribution, props, signal ? AbortSignal.any([signal, disposal.signal]) : disposal.signal),
    },
    onDispose: (undo) => {
      disposal.add(undo);
    },
    reached: (frame, epoch, seq) => {
      dispatcher.reached(frame, epoch, seq);
      core.onReached?.(frame);
    },
  };
  return {
    scope,
    dispose: () => {
      disposal.dispose();
    },
  };
}
