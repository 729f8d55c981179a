/** A plugin's service half as its halves in threads call it: the host's side, and the thread's. Bodies cross over the carrier of the thread. */
import * as v from 'valibot';
import type { ByteStream } from '../../../core/protocol/body.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { validate } from '../../../core/protocol/message.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { SERVICE_DEADLINE_MS } from '../../contracts/service-scope.ts';
import type { ServiceBody, ServiceClient, ServiceStream } from '../../contracts/service-scope.ts';
import { index } from './method-table.ts';
import type { ListenerCalls, MethodTable } from './method-table.ts';
import { Accompanied, followed, STREAM } from './thread-bodies.ts';
import type { Settled, ThreadWire } from './thread-wire.ts';

/** Calls of one thread that may be open at a time, bodies of answers included. */
const MAX_OPEN = 32;

const name = v.pipe(v.string(), v.maxLength(100));
const deadline = v.pipe(v.number(), v.minValue(1));

/** Adds the methods `service.*`. */
export function addServiceMethods(
  { add }: MethodTable,
  { service }: { readonly service: ServiceClient },
  { stream }: Pick<ListenerCalls, 'stream'>,
): void {
  const aborts = new Map<number, AbortController>();

  add('service.call', [index, name, v.unknown(), deadline, index], async (id, method, params, deadlineMs, number) => {
    const source = number === 0 ? undefined : stream(number);
    try {
      if (aborts.size >= MAX_OPEN)
        throw new AppError('service-busy', 'too many calls are under way', { retryable: true });
      if (aborts.has(id)) throw new AppError('bad-message', 'service.call: the number of another call');
    } catch (thrown) {
      source?.cancel(toAppError(thrown));
      throw thrown;
    }
    const abort = new AbortController();
    aborts.set(id, abort);
    try {
      const { value, body } = await service.call(
        { name: method, params: v.unknown(), result: v.unknown(), deadlineMs }, // validated in the thread
        params,
        { signal: abort.signal, ...(source && { body: source }) },
      );
      if (body) {
        const over = (isComplete: boolean): void => {
          aborts.delete(id);
          if (!isComplete) body.abort();
        };
        return new Accompanied(value ?? null, followed(body, over), STREAM);
      }
      aborts.delete(id);
      return value ?? null;
    } catch (thrown) {
      aborts.delete(id);
      source?.cancel(toAppError(thrown));
      throw thrown;
    }
  });
  add('service.abort', [index], (id) => {
    aborts.get(id)?.abort(new AppError('link-aborted', 'the call was aborted'));
    aborts.delete(id);
  });
}

/** The service half, in a thread. */
export function threadService(wire: ThreadWire, signal: AbortSignal): ServiceClient {
  let last = 0;
  return {
    async call(method, params, { body, deadlineMs = method.deadlineMs, signal: given } = {}) {
      const over = given ? AbortSignal.any([given, signal]) : signal;
      over.throwIfAborted();
      const id = (last += 1);
      const ends = deadlineMs > 0 ? deadlineMs : SERVICE_DEADLINE_MS;
      const abort = (): void => wire.invoke('service.abort', id);
      const done = onAbort(over, abort);
      try {
        const answer = await sent(wire, body, over, (number) =>
          wire.request('service.call', id, method.name, params, ends, number),
        );
        const stream = answer.body === 0 ? undefined : wire.bodies.stream(answer.body);
        try {
          const value = validate(method.result, answer.value ?? undefined, method.name);
          if (stream) return { value, body: reading(stream, done, abort) };
          done();
          return { value };
        } catch (thrown) {
          stream?.cancel(toAppError(thrown));
          throw thrown;
        }
      } catch (thrown) {
        done();
        throw thrown;
      }
    },
  };
}

/** Sends a call with its body, if it has one. */
async function sent(
  wire: ThreadWire,
  body: ServiceBody | undefined,
  signal: AbortSignal,
  request: (body: number) => Promise<Settled>,
): Promise<Settled> {
  if (!body) return request(0);
  const answers: Promise<Settled>[] = [];
  wire.bodies.send({ body, signal }, STREAM, (number) => void answers.push(request(number)));
  return (await answers[0]) as Settled; // it has been asked
}

/** The body of an answer; `onOver` is called at its end, `abort` when it is left before. */
function reading(stream: ByteStream, onOver: () => void, abort: () => void): ServiceStream {
  let isOver = false;
  const over = (): void => {
    isOver = true;
    onOver();
  };
  const leave = (): void => {
    if (isOver) return;
    over();
    stream.cancel();
    abort();
  };
  return {
    abort: leave,
    async *[Symbol.asyncIterator]() {
      try {
        yield* stream;
        over();
      } catch (thrown) {
        over();
        throw thrown;
      } finally {
        leave();
      }
    },
  };
}
