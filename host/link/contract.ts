import * as v from 'valibot';
import type { Schema } from '../../core/protocol/message.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { BodySource, CallOptions, LinkBody, LinkPeer, LinkRequest, LinkStream } from './api.ts';

/** A method of the link: its name, and the schemas by which both sides check what comes in. */
export interface LinkMethod<P = unknown, R = unknown> {
  readonly name: string;
  readonly params: Schema<P>;
  readonly result: Schema<R>;
  /** Time for the answer unless the call says otherwise, in ms. */
  readonly deadlineMs?: number;
  /** The idempotency key of a call that changes something: calls with the same key get the same answer. */
  readonly key?: (params: P) => string;
}

/** A notice: one way, without an answer. */
export interface LinkNotice<P = unknown> {
  readonly name: string;
  readonly params: Schema<P>;
}

/** A stream: the parameters by which it is opened. */
export interface LinkStreamKind<P = unknown> {
  readonly name: string;
  readonly params: Schema<P>;
}

/** Declares a method. */
export function method<P, R>(declared: LinkMethod<P, R>): LinkMethod<P, R> {
  return declared;
}

/** Declares a notice. */
export function notice<P>(declared: LinkNotice<P>): LinkNotice<P> {
  return declared;
}

/** Declares a stream. */
export function stream<P>(declared: LinkStreamKind<P>): LinkStreamKind<P> {
  return declared;
}

/** An answer with a body, as a handler gives it. */
export interface BodyAnswer<R> {
  readonly value: R;
  readonly body?: BodySource;
}

/** An answer with a body, as the caller gets it. The body is to be read or aborted. */
export interface BodyResult<R> {
  readonly value: R;
  readonly body?: LinkBody;
}

/** The value of `value`, checked. The value itself is not repeated in the error. */
function checked<T>(schema: Schema<T>, value: unknown, code: string, name: string): T {
  const outcome = v.safeParse(schema, value, { abortEarly: true });
  if (outcome.success) return outcome.output;
  const issue = outcome.issues[0];
  const path = v.getDotPath(issue) ?? '';
  throw new AppError(code, `${name}: expected ${issue.expected ?? 'another shape'} at ${path || 'its root'}`, {
    data: { name, path },
  });
}

/**
 * Calls a method that answers with a value and may answer with a body.
 *
 * @throws AppError of the handler or the link; `link-bad-answer` for a value that does not fit
 */
export async function callBody<P, R>(
  peer: LinkPeer,
  declared: LinkMethod<P, R>,
  params: P,
  options: CallOptions = {},
): Promise<BodyResult<R>> {
  const key = options.key ?? declared.key?.(params);
  const answer = await peer.call(declared.name, params, {
    ...(declared.deadlineMs === undefined ? {} : { deadlineMs: declared.deadlineMs }),
    ...options,
    ...(key === undefined ? {} : { key }),
  });
  try {
    const value = checked(declared.result, answer.value, 'link-bad-answer', declared.name);
    return answer.body ? { value, body: answer.body } : { value };
  } catch (error) {
    answer.body?.abort(error);
    throw error;
  }
}

/**
 * Calls a method that answers with a value alone.
 *
 * @throws AppError of the handler or the link; `link-bad-answer` for a value that does not fit, or a body
 */
export async function call<P, R>(
  peer: LinkPeer,
  declared: LinkMethod<P, R>,
  params: P,
  options?: CallOptions,
): Promise<R> {
  const { value, body } = await callBody(peer, declared, params, options);
  if (!body) return value;
  body.abort();
  throw new AppError('link-bad-answer', `${declared.name}: answered with a body`);
}

/** Answers a method with a value. Parameters that do not fit are refused with `link-bad-params`. */
export function handle<P, R>(
  peer: LinkPeer,
  declared: LinkMethod<P, R>,
  handler: (params: P, request: LinkRequest) => R | Promise<R>,
): () => void {
  return peer.handle(declared.name, async (request) => ({
    value: await handler(checked(declared.params, request.params, 'link-bad-params', declared.name), request),
  }));
}

/** Answers a method with a value and a body. Parameters that do not fit are refused with `link-bad-params`. */
export function handleBody<P, R>(
  peer: LinkPeer,
  declared: LinkMethod<P, R>,
  handler: (params: P, request: LinkRequest) => BodyAnswer<R> | Promise<BodyAnswer<R>>,
): () => void {
  return peer.handle(declared.name, async (request) =>
    handler(checked(declared.params, request.params, 'link-bad-params', declared.name), request),
  );
}

/** Sends a notice. */
export function notify<P>(peer: LinkPeer, declared: LinkNotice<P>, params: P): void {
  peer.notify(declared.name, params);
}

/** Listens to a notice. One that does not fit is reported as a fault of the link and reaches no listener. */
export function onNotice<P>(peer: LinkPeer, declared: LinkNotice<P>, listener: (params: P) => void): () => void {
  return peer.on(declared.name, (params) =>
    listener(checked(declared.params, params, 'link-bad-params', declared.name)),
  );
}

/** Opens a stream. */
export function openStream<P>(peer: LinkPeer, declared: LinkStreamKind<P>, params: P): LinkStream {
  return peer.open(declared.name, params);
}

/** Accepts the streams of a kind. One whose parameters do not fit is closed as `link-bad-params`. */
export function acceptStream<P>(
  peer: LinkPeer,
  declared: LinkStreamKind<P>,
  accepted: (params: P, stream: LinkStream) => void,
): () => void {
  return peer.accept(declared.name, (params, opened) =>
    accepted(checked(declared.params, params, 'link-bad-params', declared.name), opened),
  );
}
