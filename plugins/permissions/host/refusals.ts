import { token } from '../../../host/plugin.ts';
import type { RefusedName } from '../protocol.ts';

/** Number of sites that are remembered; who asks under ever new names is told of again at worst. */
const MAX_TOLD = 1000;

/** Which sites the person has been told of, in all tabs: a site that asks again and again is told of once. */
export class Refusals {
  readonly #told = new Set<string>();

  /** Whether the person is to be told; they count as told from now on. */
  isNew(origin: string, name: RefusedName): boolean {
    const key = `${name} ${origin}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    for (const oldest of this.#told) {
      if (this.#told.size <= MAX_TOLD) break;
      this.#told.delete(oldest);
    }
    return true;
  }
}

export const refusalsToken = token<Refusals>('permissions.refusals');
