/** Contract of service halves: what a plugin gets once per host, in a process of its own, and how its other host halves call it. */
import type { OptionValue } from '../../core/contracts/declared.ts';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { Schema } from '../../core/protocol/message.ts';
import type { Records } from './records.ts';

/** Time for a method to answer, in ms, unless it or its caller says otherwise; and the longest that may be given. */
export const SERVICE_DEADLINE_MS = 30_000;
export const MAX_SERVICE_DEADLINE_MS = 10 * 60_000;

const NAME = /^[a-z][a-z0-9-]{0,49}$/;

/** A method of a service half: its receiver validates the parameters, its caller the result. */
export interface ServiceMethod<P = unknown, R = unknown> {
  readonly name: string;
  readonly params: Schema<P>;
  readonly result: Schema<R>;
  readonly deadlineMs: number;
}

/** Declares a method, in a file that the host halves share. The result is JSON; bytes go as bodies. @throws AppError `bad-plugin`. */
export function serviceMethod<P, R>(
  name: string,
  declared: { readonly params: Schema<P>; readonly result: Schema<R>; readonly deadlineMs?: number },
): ServiceMethod<P, R> {
  if (!NAME.test(name)) throw new AppError('bad-plugin', `${name} is no name of a method: use a word in kebab case`);
  return { deadlineMs: SERVICE_DEADLINE_MS, ...declared, name };
}

/**
 * A body to send: bytes, or a source that is read only as fast as the other side consumes. A chunk that has come with another body is given
 * away with it: its memory is used again once it is sent. Send a copy of what is needed later.
 */
export type ServiceBody = Uint8Array | AsyncIterable<Uint8Array>;

/** A body that arrives: iterate it once. It throws when the other side fails or aborts; leaving the loop early aborts it. */
export interface ServiceStream extends AsyncIterable<Uint8Array> {
  /** Ends the body on both sides. */
  abort(reason?: unknown): void;
  /** Gives back the memory of a chunk that its reader will not look at any more: large bodies cost less. Whoever keeps or passes on chunks does not call it. */
  spent?(chunk: Uint8Array): void;
}

/** Whose half calls, as the host knows it: no caller can say otherwise. */
export interface ServiceCaller {
  /** Opaque subject of the person. */
  readonly person: string;
  /** Opaque id of their session. No other one has it, before or after. */
  readonly session: string;
}

/** A call as a service half gets it. Parameters and body are untrusted: pages may have made them. */
export interface ServiceRequest<P> extends ServiceCaller {
  readonly params: P;
  /** Present where the caller sends one; what is not read once the answer is complete is aborted. */
  readonly body?: ServiceStream;
  /** Aborted by the caller, by the deadline, and when the caller is gone. */
  readonly signal: AbortSignal;
}

/** Result of a method, with its body where it has one. */
export interface ServiceAnswer<R> {
  readonly value: R;
  readonly body?: ServiceBody;
}

/** The same as its caller gets it. */
export interface ServiceResult<R> {
  readonly value: R;
  readonly body?: ServiceStream;
}

/** Settings of one call. */
export interface ServiceCallOptions {
  /** Sent with the call. */
  readonly body?: ServiceBody;
  /** Time until the answer has to be there, in ms: the method's, unless given. Its body may take longer. */
  readonly deadlineMs?: number;
  /** Aborts the call, and later the bodies of both directions. */
  readonly signal?: AbortSignal;
  /**
   * The body of the answer is for the answer of a route: as its `body`, as it is, it does not pass through the cell. Not aborted by the signal once the call is
   * answered: the gateway ends it with the request.
   */
  readonly isForRoute?: true;
}

/** The plugin's own service half, as its other host halves call it. */
export interface ServiceClient {
  /**
   * Calls a method. The service half is started by the first call.
   *
   * @throws AppError of the method, or `no-service-half`, `service-timeout`; retryable: `service-unavailable` while it is to be started
   * again, `service-gone` when it has ended meanwhile, `service-busy` past the calls that one person may have under way.
   */
  call<P, R>(method: ServiceMethod<P, R>, params: P, options?: ServiceCallOptions): Promise<ServiceResult<R>>;
}

/** Contents of a service half's scope. All that is registered through it is undone when the host ends. */
export interface ServiceScope {
  readonly plugin: { readonly id: string; readonly version: string };
  readonly log: Log;
  /** Values of the options that its manifest declares. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Its counters and event files; its events name no person. */
  readonly records: Records;
  /**
   * Folder of its own; undefined unless the manifest has `storage`. No other plugin, no cell and no surrogate can enter it. It has files, no
   * folders: others are removed at the next start. Files that an earlier process has left are still there.
   */
  readonly storage: string | undefined;
  /** Answers a method until the returned function is called. @throws AppError `already-handled`. */
  handle<P, R>(
    method: ServiceMethod<P, R>,
    handler: (request: ServiceRequest<P>) => ServiceAnswer<R> | Promise<ServiceAnswer<R>>,
  ): () => void;
  /**
   * Called when a session that has called this half is over, whether it ended in order or was killed. Signals of its calls are aborted
   * before. Returns its undo.
   */
  onSessionOver(listener: (caller: ServiceCaller) => void): () => void;
  /** Aborted when the scope is disposed. */
  readonly signal: AbortSignal;
  /** Runs when the scope is disposed, in reverse order of registration. A process that is killed does not run it. */
  onDispose(undo: () => void): void;
}

/** A service half, `host/service.ts`, exports `activateService`. */
export type ActivateService = (scope: ServiceScope) => void | Promise<void>;
