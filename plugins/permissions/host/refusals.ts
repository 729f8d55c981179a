import { token } from '../../../host/plugin.ts';
import type { RefusedName } from '../protocol.ts';

/** Number of sites that are remembered; who asks under ever new names is reported again at worst. */
const MAX_REPORTED = 1000;

/** Sites whose requests were reported to the person, in all tabs: one that asks again and again is reported once. */
export class Refusals {
  readonly #reported = new Set<string>();

  /** Whether a site's request is to be reported to the person; it counts as reported from now on. */
  isNew(origin: string, name: RefusedName): boolean {
    const key = `${name} ${origin}`;
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    for (const oldest of this.#reported) {
      if (this.#reported.size <= MAX_REPORTED) break;
      this.#reported.delete(oldest);
    }
    return true;
  }
}

export const refusalsToken = token<Refusals>('permissions.refusals');
