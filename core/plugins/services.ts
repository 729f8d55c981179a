import { AppError } from '../protocol/errors.ts';
import type { Services } from '../contracts/scope.ts';
import type { Token } from '../contracts/token.ts';

/** The services of one session, by token. */
export class ServiceRegistry implements Services {
  readonly #services = new Map<string, unknown>();

  provide<T>(token: Token<T>, service: T): () => void {
    if (this.#services.has(token.name)) throw new AppError('service-taken', `${token.name} is provided already`);
    this.#services.set(token.name, service);
    return () => {
      if (this.#services.get(token.name) === service) this.#services.delete(token.name);
    };
  }

  get<T>(token: Token<T>): T {
    if (!this.#services.has(token.name)) throw new AppError('no-service', `nobody provides ${token.name}`);
    return this.#services.get(token.name) as T; // provided under the same token
  }

  find<T>(token: Token<T>): T | undefined {
    return this.#services.get(token.name) as T | undefined; // provided under the same token
  }

  /** Names of what is provided now. */
  names(): string[] {
    return [...this.#services.keys()];
  }
}
