import type {
  ServiceAnswer,
  ServiceBody,
  ServiceCaller,
  ServiceClient,
  ServiceMethod,
  ServiceRequest,
  ServiceScope,
  ServiceStream,
} from '../../host/contracts/service-scope.ts';
import { Disposal } from '../plugins/disposal.ts';
import { AppError } from '../protocol/errors.ts';
import { validate } from '../protocol/message.ts';

const PERSON = 'person';
const SESSION = 'session';

/** A service half under test: its scope, and the client of the other host halves. */
interface TestService {
  readonly scope: ServiceScope;
  readonly client: ServiceClient;
  /** The client of another session, by its id, of the same person unless given. */
  readonly clientOf: (session: string, person?: string) => ServiceClient;
  /** Ends a session, without a word from its halves. */
  readonly endSession: (session?: string) => void;
  readonly dispose: () => void;
}

interface TestServiceParts extends Pick<ServiceScope, 'log' | 'options' | 'records'> {
  readonly onFault: (fault: AppError) => void;
  /** Folder of a half that keeps files. */
  readonly storage?: string;
}

interface Handled {
  readonly params: ServiceMethod['params'];
  readonly handler: (request: ServiceRequest<unknown>) => ServiceAnswer<unknown> | Promise<ServiceAnswer<unknown>>;
}

/** Connects a service half to its client in one process: values cross as JSON, bodies directly. Deadlines have no effect. */
export function testService(
  { id, version }: ServiceScope['plugin'],
  { log, options, records, onFault, storage }: TestServiceParts,
): TestService {
  const disposal = new Disposal(onFault);
  const handlers = new Map<string, Handled>();
  const leaving = new Set<(caller: ServiceCaller) => void>();
  const scope: ServiceScope = {
    plugin: { id, version },
    log,
    options,
    records,
    storage,
    signal: disposal.signal,
    onDispose: (undo) => disposal.add(undo),
    handle: (method, handler) => {
      if (handlers.has(method.name)) throw new AppError('already-handled', `${method.name} has a handler already`);
      handlers.set(method.name, { params: method.params, handler } as unknown as Handled); // the method's own schema validates
      return disposal.once(() => void handlers.delete(method.name));
    },
    onSessionOver: (listener) => {
      leaving.add(listener);
      return disposal.once(() => void leaving.delete(listener));
    },
  };
  const clientOf = (session: string, person = PERSON): ServiceClient => ({
    async call(method, params, { body, signal } = {}) {
      const found = handlers.get(method.name);
      if (!found) throw new AppError('unknown-method', `the service half has no method ${method.name}`);
      signal?.throwIfAborted();
      const over = new AbortController();
      const answer = await found.handler({
        params: validate(found.params, crossed(params), method.name),
        person,
        session,
        signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
        ...(body && { body: streamed(body, over) }),
      });
      const value = validate(method.result, crossed(answer.value), method.name);
      return { value, ...(answer.body && { body: streamed(answer.body, over) }) };
    },
  });
  const endSession = (session = SESSION): void => {
    for (const listener of [...leaving]) listener({ person: PERSON, session });
  };
  return { scope, client: clientOf(SESSION), clientOf, endSession, dispose: () => disposal.dispose() };
}

function crossed(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function streamed(body: ServiceBody, over: AbortController): ServiceStream {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const chunk of body instanceof Uint8Array ? [body] : body) {
        over.signal.throwIfAborted();
        yield chunk;
      }
    },
    abort: (reason) => over.abort(reason),
  };
}
