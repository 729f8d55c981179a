import type { Answer, BodyKind, Handler, SendRest } from '../protocol/body.ts';
import type { CallOptions, SendOptions } from '../protocol/endpoint.ts';
import type { Message } from '../protocol/message.ts';
import type { Hook, TapOptions } from '../hooks/hook.ts';
import type { Token } from './token.ts';

/** Structured log of one plugin; the plugin's id, version and variant are added to every line. */
export interface Log {
  debug(message: string, data?: Record<string, unknown>): void;
  info(message: string, data?: Record<string, unknown>): void;
  warn(message: string, data?: Record<string, unknown>): void;
  error(message: string, data?: Record<string, unknown>): void;
}

/** Typed messages to the other side. Those that carry a body take it from the options (`{ body }`) and give it to the handler after the parameters. */
export interface Commands {
  /** Sends without an answer. */
  send<P, B extends BodyKind>(message: Message<P, undefined, B>, params: P, ...options: SendRest<B, SendOptions>): void;
  /** Sends and resolves with the validated answer, as `{ result, body }` where that has a body; rejects with an AppError. */
  call<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    params: P,
    ...options: SendRest<B, CallOptions>
  ): Promise<Answer<R, A>>;
  /** Handles a message until the scope is disposed or the returned function is called. */
  handle<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    handler: Handler<P, R, B, A>,
  ): () => void;
}

/** Taps hooks of the core. */
export interface Hooks {
  tap<A>(hook: Hook<A>, tap: (argument: A) => void | Promise<void>, options?: TapOptions): () => void;
}

/** Services by token. */
export interface Services {
  /** @throws AppError `service-taken` when another plugin provides it already. */
  provide<T>(token: Token<T>, service: T): () => void;
  /** @throws AppError `no-service` when nobody provides it; list it in `requires` to be activated after its provider. */
  get<T>(token: Token<T>): T;
  find<T>(token: Token<T>): T | undefined;
}

/** Scope that every plugin half gets. All that is registered through it is undone when it is disposed. */
export interface Scope {
  readonly plugin: { readonly id: string; readonly version: string; readonly variant: string };
  readonly commands: Commands;
  readonly hooks: Hooks;
  readonly services: Services;
  readonly log: Log;
  /** Aborted when the scope is disposed. */
  readonly signal: AbortSignal;
  /** Runs when the scope is disposed, in reverse order of registration. */
  onDispose(undo: () => void): void;
}
