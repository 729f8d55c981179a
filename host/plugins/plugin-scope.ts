import type { Hooks, Log, Services } from '../../core/contracts/scope.ts';
import type { Token } from '../../core/contracts/token.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';

/** What a scope collects to be undone: everything that goes through it. */
export class Disposal {
  readonly #abort = new AbortController();
  #undo: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Runs `undo` on disposal, in reverse order; at once when that has been already. */
  add(undo: () => void): void {
    if (this.#abort.signal.aborted) undo();
    else this.#undo.push(undo);
  }

  /** Undoes everything. Faults are given to `onFault`; the rest is undone all the same. Idempotent. */
  dispose(reason: AppError, onFault: (fault: AppError) => void): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(reason);
    const undo = this.#undo.reverse();
    this.#undo = [];
    for (const each of undo) {
      try {
        each();
      } catch (thrown) {
        onFault(toAppError(thrown));
      }
    }
  }
}

/** The services of a session or of one of its tabs, by token. */
export class ServiceTable {
  readonly #services = new Map<string, { readonly service: unknown; readonly owner: string }>();
  readonly #parent: ServiceTable | undefined;

  /** `parent`: its services are found here, too, and cannot be provided again. */
  constructor(parent?: ServiceTable) {
    this.#parent = parent;
  }

  /** The service of a token, while somebody provides it. */
  find<T>({ name }: Token<T>): T | undefined {
    return this.#entry(name)?.service as T | undefined; // the token carries the type; `provide` has checked it
  }

  /** The services, for those who provide none. */
  get reader(): Pick<Services, 'get' | 'find'> {
    const { get, find } = this.of('core', new Disposal()); // it provides nothing
    return { get, find };
  }

  of(owner: string, disposal: Disposal): Services {
    return {
      provide: (token, service) => {
        const other = this.#entry(token.name)?.owner;
        if (other !== undefined) throw new AppError('service-taken', `${token.name} is provided by ${other}`);
        this.#services.set(token.name, { service, owner });
        const undo = (): void => {
          if (this.#services.get(token.name)?.service === service) this.#services.delete(token.name);
        };
        disposal.add(undo);
        return undo;
      },
      get: (token) => {
        const entry = this.#entry(token.name);
        if (!entry) throw new AppError('no-service', `nobody provides ${token.name}`);
        return entry.service as never; // the token carries the type; `provide` has checked it
      },
      find: (token) => this.find(token),
    };
  }

  #entry(name: string): { readonly service: unknown; readonly owner: string } | undefined {
    const own = this.#services.get(name);
    return own || !this.#parent ? own : this.#parent.#entry(name);
  }
}

/** Hooks as one plugin taps them. */
export function hooksOf(plugin: string, disposal: Disposal): Hooks {
  return {
    tap: (hook, tap, options) => {
      const undo = hook.tap(plugin, tap, options);
      disposal.add(undo);
      return undo;
    },
  };
}

/** A log whose lines all carry `fields`. */
export function logWith(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (message, data) => log.debug(message, { ...data, ...fields }),
    info: (message, data) => log.info(message, { ...data, ...fields }),
    warn: (message, data) => log.warn(message, { ...data, ...fields }),
    error: (message, data) => log.error(message, { ...data, ...fields }),
  };
}
