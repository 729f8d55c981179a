/** Maximum number of paths, and of origins, that a tab remembers; the oldest are forgotten. */
const MAX_REMEMBERED = 100;
/** Number of denials after which an origin is not asked for any more. */
const MAX_DENIALS = 3;

/** Denials of the person in one tab: addresses by their path (M-049), and origins that went on asking. */
export class Denials {
  readonly #paths = new Set<string>();
  readonly #origins = new Map<string, number>();

  /** Remembers that the person does not want a window. */
  add(origin: string, address: string): void {
    this.#paths.delete(pathOf(address));
    this.#paths.add(pathOf(address));
    const times = (this.#origins.get(origin) ?? 0) + 1;
    this.#origins.delete(origin);
    this.#origins.set(origin, times);
    for (const kept of [this.#paths, this.#origins]) if (kept.size > MAX_REMEMBERED) drop(kept);
  }

  /** Whether the person need not be asked again. */
  has(origin: string, address: string): boolean {
    return this.#paths.has(pathOf(address)) || (this.#origins.get(origin) ?? 0) >= MAX_DENIALS;
  }
}

/** An address without query and fragment. */
export function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

function drop(kept: { keys(): Iterator<string>; delete(key: string): unknown }): void {
  const oldest = kept.keys().next();
  if (oldest.done !== true) kept.delete(oldest.value);
}
