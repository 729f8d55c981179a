/** Routes of a plugin whose requests are answered in a thread: the host's side. */
import * as v from 'valibot';
import type { ByteStream } from '../../../core/protocol/body.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { validate } from '../../../core/protocol/message.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { ROUTE_STATUSES } from '../../contracts/routes.ts';
import type { Route, RouteAnswer, RouteContext, RouteRequest } from '../../contracts/routes.ts';
import { routeHeadFacts } from '../../contracts/route-head.ts';
import { index } from './method-table.ts';
import type { Answered, ListenerCalls, MethodTable } from './method-table.ts';
import { Accompanied, followed, STREAM } from './thread-bodies.ts';

/** Time until an answer has to begin, and between two pieces of its body while the browser waits for one, in ms. */
export const ROUTE_DEADLINE_MS = 60_000;

/** Errors that mean the end of a thread, which whoever asks can do nothing about. */
const ENDED = /^plugin-(?:hung|flood|memory|crashed|exited|disposed)$/;

/** Facts of a plugin's routes as a thread tells them. */
export const routeFactsSchema = v.object({
  routes: v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(100)),
  errors: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(100)), v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
    v.check((errors) => Object.keys(errors).length <= 200, 'at most 200 codes'),
  ),
});
export type RouteFacts = v.InferOutput<typeof routeFactsSchema>;

/** Head of an answer, the body of which goes beside it. */
const headSchema = v.object({ ...routeHeadFacts, status: v.optional(v.picklist(ROUTE_STATUSES), 200) });

const name = v.pipe(v.string(), v.maxLength(200));

/**
 * Adds the methods `routes.*`. Answers what passes the requests of one person to the thread, which knows its routes by method and path.
 */
export function addRouteMethods({ add }: MethodTable, calls: ListenerCalls, deadlineMs: number): Route {
  /** Contexts of the requests that are being answered, by their numbers. */
  const contexts = new Map<number, RouteContext>();
  let listeners: { readonly answer: number; readonly abort: number } | undefined;
  let last = 0;

  add('routes.serve', [index, index], (answer, abort) => {
    listeners = { answer, abort };
  });
  add('routes.tab', [index, name, name, name], (request, cid, rid, tabId) => {
    const context = contexts.get(request);
    if (!context) throw new AppError('request-closed', 'nobody waits for the answer any more');
    return context.tab({ cid, rid, tabId }).id;
  });

  /** Asks the thread for an answer, the body of which has not been read yet. */
  const ask = async (number: number, request: RouteRequest, over: AbortSignal): Promise<RouteAnswer> => {
    if (!listeners) throw unavailable();
    const { body, signal: _signal, ...head } = request;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timedOut()), deadlineMs).unref();
    const signal = AbortSignal.any([over, late.signal]);
    try {
      const sent = new Accompanied(undefined, body, STREAM, over);
      const answered = await calls.ask(listeners.answer, [number, head], sent, signal);
      return answerOf(request.path, answered, calls);
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request, context) => {
    const number = (last += 1);
    contexts.set(number, context);
    const over = new AbortController();
    const gone = (): void => over.abort(toAppError(request.signal.reason));
    const unlisten = onAbort(request.signal, gone);
    const done = (): void => {
      unlisten();
      contexts.delete(number);
    };
    /** `fault`: nobody waits for the answer any more. */
    const stop = (fault?: AppError): void => {
      done();
      over.abort(fault ?? closed()); // what the thread has not read of the request
      if (listeners) calls.tell(listeners.abort, [number, fault?.toRecord() ?? null]);
    };
    try {
      if (request.signal.aborted) throw toAppError(request.signal.reason);
      const answer = await ask(number, request, over.signal);
      const body = answer.body as AsyncIterable<Uint8Array>; // a stream, as asked for
      return {
        ...answer,
        body: followed(inTime(body, deadlineMs), (isComplete) => stop(isComplete ? undefined : closed())),
      };
    } catch (thrown) {
      const fault = toAppError(thrown);
      stop(fault);
      throw ENDED.test(fault.code) ? unavailable(fault) : fault;
    }
  };
}

/** Checks the answer of a thread. @throws AppError `bad-answer` */
function answerOf(path: string, { value, body: number }: Answered, calls: ListenerCalls): RouteAnswer {
  let stream: ByteStream | undefined;
  try {
    stream = calls.stream(number);
    return { ...validate(headSchema, value, 'answer of a route'), body: stream };
  } catch (thrown) {
    const fault = toAppError(thrown);
    stream?.cancel(fault);
    throw new AppError('bad-answer', `${path}: ${fault.message}`, { cause: thrown });
  }
}

/** Nothing answers the routes of a plugin: its half has ended, or is not active yet. */
export function unavailable(cause?: AppError): AppError {
  return new AppError('plugin-unavailable', 'The plugin does not answer now.', {
    retryable: true,
    ...(cause && { cause }),
  });
}

const timedOut = (): AppError => new AppError('route-timeout', 'The plugin did not answer in time.');
const closed = (): AppError => new AppError('request-closed', 'The answer is complete, or nobody reads it.');

/** The same body; fails when the reader has waited too long for its next piece. */
function inTime(body: AsyncIterable<Uint8Array>, deadlineMs: number): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const pieces = body[Symbol.asyncIterator]();
      const stop = async (): Promise<IteratorResult<Uint8Array>> => {
        await pieces.return?.();
        return { done: true, value: undefined };
      };
      return {
        next: async () => {
          const late = Promise.withResolvers<never>();
          const timer = setTimeout(() => late.reject(timedOut()), deadlineMs);
          try {
            return await Promise.race([pieces.next(), late.promise]);
          } catch (thrown) {
            void stop().catch(() => undefined); // it has failed already
            throw thrown;
          } finally {
            clearTimeout(timer);
          }
        },
        return: stop,
      };
    },
  };
}
