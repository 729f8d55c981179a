import { AppError } from '../protocol/errors.ts';
import type { Services } from '../contracts/scope.ts';
import type { Token } from '../contracts/token.ts';
import type { Disposal } from './disposal.ts';

interface Entry {
  readonly service: unknown;
  readonly owner: string;
}

/** Services by token: of a client, or of a session or one of its tabs in the host. */
export class ServiceRegistry implements Services {
  readonly #services = new Map<string, Entry>();
  readonly #parent: ServiceRegistry | undefined;

  /** `parent`: its services are found here, too, and cannot be provided again. */
  constructor(parent?: ServiceRegistry) {
    this.#parent = parent;
  }

  provide<T>({ name }: Token<T>, service: T, owner = 'core'): () => void {
    const other = this.#entry(name)?.owner;
    if (other !== undefined) throw new AppError('service-taken', `${name} is provided by ${other} already`);
    const entry = { service, owner };
    this.#services.set(name, entry);
    return () => {
      if (this.#services.get(name) === entry) this.#services.delete(name);
    };
  }

  get<T>({ name }: Token<T>): T {
    const entry = this.#entry(name);
    if (!entry) throw new AppError('no-service', `nobody provides ${name}`);
    return entry.service as T; // provided under the same token
  }

  find<T>({ name }: Token<T>): T | undefined {
    return this.#entry(name)?.service as T | undefined; // provided under the same token
  }

  /** The services as a plugin has them, until its scope is disposed. */
  of(owner: string, disposal: Disposal): Services {
    return {
      provide: (token, service) => disposal.once(this.provide(token, service, owner)),
      get: (token) => this.get(token),
      find: (token) => this.find(token),
    };
  }

  /** Names of what is provided here now. */
  names(): string[] {
    return [...this.#services.keys()];
  }

  #entry(name: string): Entry | undefined {
    const own = this.#services.get(name);
    return own || !this.#parent ? own : this.#parent.#entry(name);
  }
}
