import { token } from '../../../host/plugin.ts';
import type { PermissionSetting } from '../../../host/plugin.ts';

/** What a person has decided of a page that asked. */
type PermissionDecision = 'granted' | 'denied';

/** What pages may have once the person has granted it, as one tab has it; nothing is granted unless this says so. */
export interface OriginPermission {
  /** What the person has decided of an origin, in any tab. */
  decision(origin: string): PermissionDecision | undefined;
  /** The person has decided: it holds in all of the person's tabs until the session ends. @throws AppError as CdpSession.send. */
  decide(origin: string, decision: PermissionDecision): Promise<void>;
  /**
   * Says which origins' pages may ask in this tab, in the place of those that were said before. They are told what the person has decided,
   * or that they may ask; all others are told no, but for those that another tab lets ask. @throws AppError as CdpSession.send.
   */
  letAsk(origins: readonly string[]): Promise<void>;
}

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

/** Who may know where the person is: a permission of all tabs of the person. */
export const geolocationToken = token<OriginPermissions>('permissions.geolocation');
