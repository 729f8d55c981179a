import type { Gesture } from '../../../host/plugin.ts';

/** Number of times that a person declines a server's question before it has to wait for an act of theirs in the page. */
const MAX_DECLINED = 3;
const MAX_ORIGINS = 1000;

/** Servers whose questions the person has declined: a page could otherwise ask without end. */
export class Declined {
  readonly #gesture: Gesture;
  readonly #origins = new Map<string, { readonly times: number; readonly at: number }>();

  constructor(gesture: Gesture) {
    this.#gesture = gesture;
  }

  /** Whether a server is not to ask now. Once the person has acted in the page, it may ask again. */
  isSilenced(origin: string): boolean {
    const declined = this.#origins.get(origin);
    if (!declined || declined.times < MAX_DECLINED) return false;
    if (this.#gesture.actedAt <= declined.at) return true;
    this.#origins.delete(origin);
    return false;
  }

  add(origin: string): void {
    const times = (this.#origins.get(origin)?.times ?? 0) + 1;
    this.#origins.delete(origin);
    this.#origins.set(origin, { times, at: performance.now() });
    for (const oldest of this.#origins.keys()) {
      if (this.#origins.size <= MAX_ORIGINS) break;
      this.#origins.delete(oldest);
    }
  }

  forget(origin: string): void {
    this.#origins.delete(origin);
  }

  clear(): void {
    this.#origins.clear();
  }
}
