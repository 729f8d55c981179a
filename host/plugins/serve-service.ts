import type { Log } from '../../core/contracts/scope.ts';
import { Disposal } from '../../core/plugins/disposal.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type {
  ActivateService,
  ServiceAnswer,
  ServiceCaller,
  ServiceMethod,
  ServiceRequest,
  ServiceScope,
} from '../contracts/service-scope.ts';
import type { LinkPeer } from '../link/api.ts';
import { logWith } from './plugin-scope.ts';
import { serviceCallerSchema, serviceCallSchema, TO_SERVICE } from './service-protocol.ts';

/** A service half to run. */
interface ServedService {
  readonly plugin: ServiceScope['plugin'];
  readonly activate: ActivateService;
  readonly options: ServiceScope['options'];
  readonly records: ServiceScope['records'];
  readonly storage?: ServiceScope['storage'];
  readonly log: Log;
}

interface Handled {
  readonly method: ServiceMethod;
  readonly handler: (request: ServiceRequest<unknown>) => ServiceAnswer<unknown> | Promise<ServiceAnswer<unknown>>;
}

/**
 * Activates a service half and has it answer calls over a link. Rejects when it cannot be activated; nothing of it is left then.
 *
 * @returns what disposes of it. Idempotent.
 */
export async function serveService(
  peer: LinkPeer,
  { plugin, activate, options, records, storage, log }: ServedService,
): Promise<() => void> {
  const handlers = new Map<string, Handled>();
  const leaving = new Set<(caller: ServiceCaller) => void>();
  const own = logWith(log, { plugin: plugin.id, version: plugin.version });
  const disposal = new Disposal(({ code, message }) =>
    own.error('service half: undo failed', { code, error: message }),
  );
  const scope: ServiceScope = {
    plugin,
    options,
    records,
    storage,
    log: own,
    signal: disposal.signal,
    onDispose: (undo) => disposal.add(undo),
    handle: (method, handler) => {
      if (handlers.has(method.name))
        throw new AppError('already-handled', `${plugin.id}: ${method.name} has a handler already`);
      handlers.set(method.name, { method, handler } as unknown as Handled); // the parameters are validated by the method's own schema
      return disposal.once(() => void handlers.delete(method.name));
    },
    onSessionOver: (listener) => {
      const own = (caller: ServiceCaller): void => listener(caller);
      leaving.add(own);
      return disposal.once(() => void leaving.delete(own));
    },
  };
  const dispose = (): void => disposal.dispose(new AppError('plugin-disposed', 'the host ends'));
  try {
    await activate(scope);
  } catch (thrown) {
    dispose();
    throw thrown;
  }
  peer.handle(TO_SERVICE.call, async ({ params, body, signal }) => {
    const called = validate(serviceCallSchema, params, TO_SERVICE.call);
    const found = handlers.get(called.method);
    if (!found) throw new AppError('unknown-method', `${plugin.id}: its service half has no method ${called.method}`);
    try {
      const value = validate(found.method.params, called.params ?? undefined, called.method);
      const { person, session } = called;
      const request = { params: value, person, session, signal, ...(body && { body }) };
      const answer = await found.handler(request);
      return { value: answer.value ?? null, ...(answer.body && { body: answer.body }) };
    } catch (thrown) {
      const { code, message, stack } = toAppError(thrown);
      own.debug('service half: a call failed', { method: called.method, code, error: message, stack });
      throw thrown;
    }
  });
  peer.on(TO_SERVICE.sessionOver, (params) => {
    const caller = validate(serviceCallerSchema, params, TO_SERVICE.sessionOver);
    for (const listener of [...leaving]) {
      try {
        listener(caller);
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        own.error('service half: the end of a session was not handled', { code, error: message });
      }
    }
  });
  return dispose;
}
