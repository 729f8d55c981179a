import type { PluginStorage } from '../../../core/index.ts';

/** Number of consecutive failures after which checks are skipped, and time since the last one during which they are, in ms (S-144). */
const MAX_FAILURES = 3;
const SKIP_MS = 5 * 60_000;

const KEY = 'checks';

interface Counted {
  readonly failures: number;
  /** Time of the last check, in epoch milliseconds. */
  readonly at: number;
}

/** Counts failed auth checks, across tabs and reloads. */
export class CheckCount {
  readonly #storage: PluginStorage;

  constructor(storage: PluginStorage) {
    this.#storage = storage;
  }

  /** Whether to skip a check that the person has not requested. */
  async isSkipped(): Promise<boolean> {
    const { failures, at } = await this.#read();
    return failures >= MAX_FAILURES && Date.now() - at < SKIP_MS;
  }

  async succeeded(): Promise<void> {
    await this.#storage.delete(KEY).catch(() => undefined); // without storage, nothing is counted
  }

  async failed(): Promise<void> {
    const { failures } = await this.#read();
    await this.#storage.set(KEY, { failures: failures + 1, at: Date.now() }).catch(() => undefined);
  }

  async #read(): Promise<Counted> {
    const stored = (await this.#storage.get(KEY).catch(() => undefined)) as Partial<Counted> | undefined;
    const { failures, at } = stored ?? {}; // any value may be stored
    return typeof failures === 'number' && typeof at === 'number' ? { failures, at } : { failures: 0, at: 0 };
  }
}
