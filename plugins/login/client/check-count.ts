import type { PluginStorage } from '../../../core/index.ts';

/** After so many failures in a row checks are skipped, for so long after the last one, in ms (S-144). */
export const MAX_FAILURES = 3;
export const SKIP_MS = 5 * 60_000;

const KEY = 'checks';

interface Counted {
  readonly failures: number;
  /** When the last check was, in epoch milliseconds. */
  readonly at: number;
}

/** Counts auth checks that fail, across tabs and reloads. */
export class CheckCount {
  readonly #storage: PluginStorage;

  constructor(storage: PluginStorage) {
    this.#storage = storage;
  }

  /** Whether a check that nobody has asked for should be left out. */
  async isSkipped(): Promise<boolean> {
    const { failures, at } = await this.#read();
    return failures >= MAX_FAILURES && Date.now() - at < SKIP_MS;
  }

  async succeeded(): Promise<void> {
    await this.#storage.delete(KEY).catch(() => undefined); // no storage: nothing is counted
  }

  async failed(): Promise<void> {
    const { failures } = await this.#read();
    await this.#storage.set(KEY, { failures: failures + 1, at: Date.now() }).catch(() => undefined);
  }

  async #read(): Promise<Counted> {
    const stored = (await this.#storage.get(KEY).catch(() => undefined)) as Partial<Counted> | undefined;
    const { failures, at } = stored ?? {}; // anything may have been stored
    return typeof failures === 'number' && typeof at === 'number' ? { failures, at } : { failures: 0, at: 0 };
  }
}
