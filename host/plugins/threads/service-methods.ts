/** A plugin's service half as its host half in a thread calls it: the thread's side, and the host's. Bodies cross in pieces, when they are asked for. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { validate } from '../../../core/protocol/message.ts';
import { SERVICE_DEADLINE_MS } from '../../contracts/service-scope.ts';
import type { ServiceBody, ServiceClient, ServiceStream } from '../../contracts/service-scope.ts';
import * as v from 'valibot';
import type { ThreadWire } from './thread-wire.ts';

/** Bytes of a piece, and those of all that a thread is asked for in a second: what it may send has a bound. */
const PIECE_BYTES = 256 * 1024;
const BYTES_PER_SECOND = 8 * 1024 * 1024;
/** Calls and bodies of one thread that may be open at a time. */
const MAX_OPEN = 32;

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const callSchema = v.tuple([
  number,
  v.pipe(v.string(), v.maxLength(100)),
  v.unknown(),
  v.pipe(v.number(), v.minValue(1)),
  v.nullable(number),
]);
const pieceSchema = v.nullable(v.pipe(v.string(), v.base64(), v.maxLength(2 * PIECE_BYTES)));

/** The methods `service.*` of a scope, for a thread to call, and what ends all that is open. */
export function serviceMethods(
  service: ServiceClient,
  ask: (listener: number, args: readonly unknown[]) => Promise<unknown>,
): Readonly<Record<string, (args: readonly unknown[]) => unknown>> {
  const aborts = new Map<number, AbortController>();
  const bodies = new Map<number, AsyncIterator<Uint8Array>>();

  /** Pieces of a thread's body; null is its end. */
  async function* pieces(listener: number): AsyncGenerator<Uint8Array> {
    let isOver = false;
    try {
      for (;;) {
        const piece = validate(pieceSchema, await ask(listener, ['next']), 'piece of a body');
        if (piece === null) break;
        const bytes = Buffer.from(piece, 'base64');
        yield bytes;
        await delay((bytes.length / BYTES_PER_SECOND) * 1000);
      }
      isOver = true;
    } finally {
      if (!isOver) ask(listener, ['stop']).catch(() => undefined); // it may be over, too
    }
  }

  return {
    'service.call': async (args) => {
      const [id, name, params, deadlineMs, listener] = validate(callSchema, args, 'service.call');
      if (aborts.size >= MAX_OPEN)
        throw new AppError('service-busy', 'too many calls are under way', { retryable: true });
      if (aborts.has(id)) throw new AppError('bad-message', 'service.call: the number of another call');
      const abort = new AbortController();
      aborts.set(id, abort);
      try {
        const method = { name, params: v.unknown(), result: v.unknown(), deadlineMs }; // validated in the thread
        const { value, body } = await service.call(method, params, {
          signal: abort.signal,
          ...(listener !== null && { body: pieces(listener) }),
        });
        if (body) bodies.set(id, body[Symbol.asyncIterator]());
        else aborts.delete(id);
        return [value ?? null, body !== undefined];
      } catch (thrown) {
        aborts.delete(id);
        throw thrown;
      }
    },
    'service.read': async ([id]) => {
      const body = bodies.get(validate(number, id, 'service.read'));
      if (!body) throw new AppError('bad-message', 'service.read: there is no such body');
      const over = (): void => {
        bodies.delete(id as number); // validated above
        aborts.delete(id as number);
      };
      try {
        const next = await body.next();
        if (next.done) over();
        return next.done ? null : Buffer.from(next.value).toString('base64');
      } catch (thrown) {
        over();
        throw thrown;
      }
    },
    'service.abort': ([id]) => {
      const call = validate(number, id, 'service.abort');
      aborts.get(call)?.abort(new AppError('link-aborted', 'the call was aborted'));
      aborts.delete(call);
      bodies.delete(call);
    },
  };
}

/** The service half, in a thread. */
export function threadService(wire: ThreadWire, signal: AbortSignal): ServiceClient {
  let last = 0;
  return {
    async call(method, params, { body, deadlineMs = method.deadlineMs, signal: given } = {}) {
      const over = given ? AbortSignal.any([given, signal]) : signal;
      over.throwIfAborted();
      const id = (last += 1);
      const abort = (): void => wire.invoke('service.abort', id);
      const source = body && offer(wire, body);
      over.addEventListener('abort', abort, { once: true });
      const done = (): void => {
        over.removeEventListener('abort', abort);
        source?.close();
      };
      try {
        const deadline = deadlineMs > 0 ? deadlineMs : SERVICE_DEADLINE_MS;
        const asked = wire.ask('service.call', id, method.name, params, deadline, source?.listener ?? null);
        const [answered, hasBody] = (await asked) as [unknown, boolean]; // the host's own
        const value = validate(method.result, answered ?? undefined, method.name);
        if (!hasBody) {
          done();
          return { value };
        }
        return { value, body: reading(wire, id, done) };
      } catch (thrown) {
        done();
        throw thrown;
      }
    },
  };
}

/** Lets the host ask for the pieces of a body. */
function offer(wire: ThreadWire, body: ServiceBody): { readonly listener: number; close(): void } {
  const chunks = cut(body);
  let listener = 0;
  const close = wire.listen(
    async ([what]) => {
      if (what === 'stop') {
        await chunks.return(undefined);
        return null;
      }
      const next = await chunks.next();
      return next.done ? null : Buffer.from(next.value).toString('base64');
    },
    (id) => (listener = id),
  );
  return { listener, close };
}

async function* cut(body: ServiceBody): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of body instanceof Uint8Array ? [body] : body)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  return undefined;
}

function reading(wire: ThreadWire, id: number, onOver: () => void): ServiceStream {
  let isOver = false;
  const over = (): void => {
    isOver = true;
    onOver();
  };
  const abort = (): void => {
    if (isOver) return;
    over();
    wire.invoke('service.abort', id);
  };
  return {
    abort,
    async *[Symbol.asyncIterator]() {
      try {
        while (!isOver) {
          const piece = (await wire.ask('service.read', id)) as string | null; // the host's own
          if (piece === null) over();
          else yield Buffer.from(piece, 'base64');
        }
      } catch (thrown) {
        over();
        throw toAppError(thrown);
      } finally {
        abort();
      }
    },
  };
}
