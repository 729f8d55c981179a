/** Maximum number of owners whose version is kept; the oldest are dropped. */
export const MAX_OWNERS = 20_000;

/** Versions of the sheets of one document, by owner: a late text must not replace a newer one. */
export class SheetVersions {
  readonly #versions = new Map<number, number>();
  #last = 0;

  get size(): number {
    return this.#versions.size;
  }

  /** Returns the version of an owner's sheet; 0 when it is not kept. */
  of(owner: number): number {
    return this.#versions.get(owner) ?? 0;
  }

  /** Called when an owner has another sheet. */
  renew(owner: number): void {
    this.#versions.delete(owner);
    this.#versions.set(owner, ++this.#last);
    if (this.#versions.size <= MAX_OWNERS) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /** Called when another document starts. Versions are not used again. */
  clear(): void {
    this.#versions.clear();
  }
}
