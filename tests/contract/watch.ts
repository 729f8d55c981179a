/** Calls that a half has made through its scope. */
export interface Watched {
  readonly handled: string[];
  /** Names of tapped hooks, and of CDP events with a listener. */
  readonly tapped: string[];
  /** Names of requested services. */
  readonly asked: string[];
  /** Registrations that were called after the half was disposed. */
  readonly late: string[];
}

/** Observes a half and its scope, in Node or in a browser. */
export class Watch {
  readonly seen: Watched = { handled: [], tapped: [], asked: [], late: [] };
  /** The half has been disposed: no callback of it may run any more. */
  over = false;

  /** Wraps a callback, and records calls that come late. */
  callback<A extends readonly unknown[], R>(what: string, callback: (...given: A) => R): (...given: A) => R {
    return (...given) => {
      if (this.over) this.seen.late.push(what);
      return callback(...given);
    };
  }

  /** `handle` of a scope's commands or page bus. */
  handle<H>(handle: H): H {
    const watched = (message: { name: string }, handler: (...given: unknown[]) => unknown): unknown => {
      this.seen.handled.push(message.name);
      return (handle as (...given: unknown[]) => unknown)(message, this.callback(message.name, handler));
    };
    return watched as H; // the arguments it was given
  }

  /** `tap` of a scope's hooks. */
  tap<T>(tap: T): T {
    const watched = (hook: { name: string }, given: (...given: unknown[]) => unknown, ...rest: unknown[]): unknown => {
      this.seen.tapped.push(hook.name);
      return (tap as (...given: unknown[]) => unknown)(hook, this.callback(hook.name, given), ...rest);
    };
    return watched as T; // the arguments it was given
  }

  /** `get` or `find` of a scope's services. */
  ask<G>(get: G): G {
    const watched = (token: { name: string }): unknown => {
      this.seen.asked.push(token.name);
      return (get as (token: unknown) => unknown)(token);
    };
    return watched as G; // the arguments it was given
  }
}
