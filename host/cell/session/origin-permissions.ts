import type { OriginPermission, PermissionDecision } from '../../plugin.ts';

/** What the browser tells pages that ask for something which a person has to grant. */
type PermissionSetting = PermissionDecision | 'prompt';

/**
 * One permission in one person's surrogate, whose tabs share what the browser tells the pages of an origin: the origin may ask for as long
 * as any tab lets it.
 */
export class OriginPermissions {
  readonly #tell: (origin: string, setting: PermissionSetting) => Promise<void>;
  readonly #decisions = new Map<string, PermissionDecision>();
  /** Origins that may ask, by tab. */
  readonly #asking = new Map<string, readonly string[]>();
  /** What the browser has been told, where that is not `denied`; undefined where it cannot be known. */
  readonly #told = new Map<string, PermissionSetting | undefined>();

  /** `tell` has the browser tell the pages of an origin; before, it denies all. */
  constructor(tell: (origin: string, setting: PermissionSetting) => Promise<void>) {
    this.#tell = tell;
  }

  /** The permission as one tab has it. */
  of(tab: string): OriginPermission {
    return {
      decision: (origin) => this.#decisions.get(origin),
      decide: (origin, decision) => {
        this.#decisions.set(origin, decision);
        return this.#update([origin]);
      },
      letAsk: (origins) => {
        const before = this.#asking.get(tab) ?? [];
        if (origins.length > 0) this.#asking.set(tab, origins);
        else this.#asking.delete(tab);
        return this.#update([...origins, ...before]);
      },
    };
  }

  /** Another browser has taken the place of the one that was told. @throws what `tell` throws. */
  renew(): Promise<void> {
    this.#told.clear();
    return this.#update([...this.#asking.values()].flat());
  }

  async #update(origins: readonly string[]): Promise<void> {
    await Promise.all(origins.map((origin) => this.#updateOne(origin)));
  }

  async #updateOne(origin: string): Promise<void> {
    const mayAsk = [...this.#asking.values()].some((origins) => origins.includes(origin));
    const setting = mayAsk ? (this.#decisions.get(origin) ?? 'prompt') : 'denied';
    if (setting === (this.#told.has(origin) ? this.#told.get(origin) : 'denied')) return;
    this.#told.set(origin, setting);
    try {
      await this.#tell(origin, setting);
    } catch (thrown) {
      this.#told.set(origin, undefined);
      throw thrown;
    }
    if (this.#told.get(origin) === 'denied') this.#told.delete(origin);
  }
}
