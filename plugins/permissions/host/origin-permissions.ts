import { token } from '../../../host/plugin.ts';
import type { PermissionSetting } from '../../../host/plugin.ts';

/** The person's decision about a page's request. */
type PermissionDecision = 'granted' | 'denied';

/** A permission from the view of one tab. Pages have it only after the person has granted it. */
export interface OriginPermission {
  /** The person's decision for an origin, in any tab. */
  decision(origin: string): PermissionDecision | undefined;
  /** Stores the person's decision. It applies to all of the person's tabs until the session ends. @throws AppError as CdpSession.send. */
  decide(origin: string, decision: PermissionDecision): Promise<void>;
  /**
   * Sets the origins whose pages may ask in this tab; replaces the previous ones. Their state is the person's decision, or `prompt`. All
   * others are denied, except those that another tab allows. @throws AppError as CdpSession.send.
   */
  letAsk(origins: readonly string[]): Promise<void>;
}

/**
 * One permission in one person's surrogate. All tabs share the state that the browser has for an origin: the origin may ask while any tab
 * allows it.
 */
export class OriginPermissions {
  readonly #apply: (origin: string, setting: PermissionSetting) => Promise<void>;
  readonly #decisions = new Map<string, PermissionDecision>();
  /** Origins that may ask, by tab. */
  readonly #asking = new Map<string, readonly string[]>();
  /** The browser's state where that is not `denied`; undefined where it is not known. */
  readonly #applied = new Map<string, PermissionSetting | undefined>();

  /** `apply` sets the browser's state of an origin. Initially the browser denies all. */
  constructor(apply: (origin: string, setting: PermissionSetting) => Promise<void>) {
    this.#apply = apply;
  }

  /** The permission from the view of one tab. */
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

  /** Applies all settings to a new browser that has replaced the previous one. @throws the errors of `apply`. */
  renew(): Promise<void> {
    this.#applied.clear();
    return this.#update([...this.#asking.values()].flat());
  }

  async #update(origins: readonly string[]): Promise<void> {
    await Promise.all(origins.map((origin) => this.#updateOne(origin)));
  }

  async #updateOne(origin: string): Promise<void> {
    const mayAsk = [...this.#asking.values()].some((origins) => origins.includes(origin));
    const setting = mayAsk ? (this.#decisions.get(origin) ?? 'prompt') : 'denied';
    if (setting === (this.#applied.has(origin) ? this.#applied.get(origin) : 'denied')) return;
    this.#applied.set(origin, setting);
    try {
      await this.#apply(origin, setting);
    } catch (thrown) {
      this.#applied.set(origin, undefined);
      throw thrown;
    }
    if (this.#applied.get(origin) === 'denied') this.#applied.delete(origin);
  }
}

/** The geolocation permission of all tabs of the person. */
export const geolocationToken = token<OriginPermissions>('permissions.geolocation');
