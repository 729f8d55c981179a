/** What a half does through its scope, as the contract tests see it. Runs in Node and in a browser. */
import type { Message } from '../../core/protocol/message.ts';

/** Messages by name, and what stands behind a registration. */
export interface Watched {
  readonly handled: string[];
  /** Names of hooks tapped, of CDP events heard. */
  readonly tapped: string[];
  /** Names of services asked for. */
  readonly asked: string[];
  /** Registrations that were called although the half was over. */
  readonly late: string[];
}

/** Looks on while a half works with its scope. */
export class Watch {
  readonly seen: Watched = { handled: [], tapped: [], asked: [], late: [] };
  /** The half has been disposed: nothing of it may run any more. */
  over = false;

  /** A callback that is called late is noted. */
  callback<A extends readonly unknown[], R>(what: string, callback: (...given: A) => R): (...given: A) => R {
    return (...given) => {
      if (this.over) this.seen.late.push(what);
      return callback(...given);
    };
  }

  /** `handle` of a scope's commands or page bus. */
  handle<H>(handle: (message: Message<never, never>, handler: H) => () => void): never {
    const watched = (message: Message, handler: (...given: unknown[]) => unknown): (() => void) => {
      this.seen.handled.push(message.name);
      return handle(message as unknown as Message<never, never>, this.callback(message.name, handler) as H); // as it came
    };
    return watched as never; // what it was given
  }

  /** `tap` of a scope's hooks. */
  tap<T>(tap: T): T {
    const watched = (hook: { name: string }, given: (...given: unknown[]) => unknown, ...rest: unknown[]): unknown => {
      this.seen.tapped.push(hook.name);
      return (tap as (...given: unknown[]) => unknown)(hook, this.callback(hook.name, given), ...rest);
    };
    return watched as T; // what it was given
  }

  /** `get` or `find` of a scope's services. */
  ask<G>(get: G): G {
    const watched = (token: { name: string }): unknown => {
      this.seen.asked.push(token.name);
      return (get as (token: unknown) => unknown)(token);
    };
    return watched as G; // what it was given
  }
}
