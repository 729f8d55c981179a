/** Bounds of what is kept for one plugin, in messages and in UTF-16 units of their JSON. */
export const KEEP_MAX_MESSAGES = 200;
export const KEEP_MAX_UNITS = 1024 * 1024;

interface Kept<T> {
  readonly items: T[];
  units: number;
}

/** Messages for plugins that are being activated, by plugin and in the order in which they came. */
export class KeptMessages<T> {
  readonly #byOwner = new Map<string, Kept<T>>();

  /** Keeps `item`, whose size is that of `packet`. False past the bound, unless `isBounded` is false. */
  keep(owner: string, packet: unknown, item: T, isBounded = true): boolean {
    const kept = this.#byOwner.get(owner) ?? { items: [], units: 0 };
    this.#byOwner.set(owner, kept);
    const units = isBounded ? JSON.stringify(packet).length : 0;
    if (isBounded && (kept.items.length >= KEEP_MAX_MESSAGES || kept.units + units > KEEP_MAX_UNITS)) return false;
    kept.items.push(item);
    kept.units += units;
    return true;
  }

  /** Hands out what is kept for a plugin; it is kept no longer. */
  take(owner: string): readonly T[] {
    const items = this.#byOwner.get(owner)?.items ?? [];
    this.#byOwner.delete(owner);
    return items;
  }

  clear(): void {
    this.#byOwner.clear();
  }
}
