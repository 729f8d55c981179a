import * as v from 'valibot';
import type { BodyKind } from './body.ts';
import { AppError } from './errors.ts';
import type { Lane } from './lanes.ts';

/** Who sends to whom. Page halves and the client never speak to each other directly: the host stands between. */
export type Direction = 'client-to-host' | 'host-to-client' | 'page-to-host' | 'host-to-page';

/** A synchronous valibot schema whose output is `T`. */
export type Schema<T> = v.GenericSchema<unknown, T>;

/**
 * One typed value per message: its name, direction, lane, schemas and the kinds of its bodies. Everything that sends or receives it infers
 * its types from this value, and the receiver validates with it.
 */
export interface Message<P = unknown, R = unknown, B extends BodyKind = 'json', A extends BodyKind = 'json'> {
  readonly name: string;
  readonly direction: Direction;
  readonly lane: Lane;
  readonly params: Schema<P>;
  /** Present on calls: what the receiver answers with. */
  readonly result?: Schema<R>;
  /** The error codes that a call may answer with, beside those of the endpoint itself. */
  readonly errors?: readonly string[];
  /** `json`, which is none, unless given. */
  readonly body?: B;
  /** The same of the answer to a call. */
  readonly resultBody?: A;
  /** Largest body either way, in bytes. */
  readonly maxBytes?: number;
}

/** A message, whatever it carries. */
export type AnyMessage = Message<unknown, unknown, BodyKind, BodyKind>;

/** Options of a message. */
export interface MessageOptions<P, R, B extends BodyKind = 'json', A extends BodyKind = 'json'> {
  readonly direction: Direction;
  /** `feature` unless given. */
  readonly lane?: Lane;
  readonly params: Schema<P>;
  readonly result?: Schema<R>;
  readonly errors?: readonly string[];
  /** `json`, which is none, unless given. `bytes`: the message is handled once all of them are there, and those behind it in its lane wait. */
  readonly body?: B;
  /** Body of the answer to a call beside its `result`; `json`, which is none, unless given. */
  readonly resultBody?: A;
  /** Largest body either way, in bytes; 16 MiB of `bytes`, and no bound of a `stream`, unless given. */
  readonly maxBytes?: number;
}

/** Declares a message. Names are the specification's where it names them, else `plugin.verb` or `plugin.noun`. */
export function message<P, R = undefined, B extends BodyKind = 'json', A extends BodyKind = 'json'>(
  name: string,
  options: MessageOptions<P, R, B, A>,
): Message<P, R, B, A> {
  return { lane: 'feature', ...options, name };
}

/** The parameter type of a message. */
export type ParamsOf<M> = M extends Message<infer P, infer _R, BodyKind, BodyKind> ? P : never;
/** The result type of a message. */
export type ResultOf<M> = M extends Message<infer _P, infer R, BodyKind, BodyKind> ? R : never;

/** No parameters. */
export const nothing: Schema<undefined> = v.pipe(
  v.optional(v.null_()),
  v.transform(() => undefined),
);

/**
 * Validates a value that came from another side.
 *
 * @throws AppError `bad-message` naming the message and the first path that does not fit; the value itself is not repeated.
 */
export function validate<T>(schema: Schema<T>, value: unknown, name: string): T {
  const outcome = v.safeParse(schema, value, { abortEarly: true });
  if (outcome.success) return outcome.output;
  const issue = outcome.issues[0];
  const path = v.getDotPath(issue) ?? '';
  throw new AppError('bad-message', `${name}: expected ${issue.expected ?? 'another shape'} at ${path || 'its root'}`, {
    data: { name, path },
  });
}
