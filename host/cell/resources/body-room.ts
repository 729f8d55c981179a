import { MAX_RESOURCE_BYTES } from '../../resources/data-address.ts';

/** Maximum size of the bodies that a cell reads from its browser at a time, in bytes: CDP sends each as one string, or in pieces. */
export const MAX_READ_BYTES = 4 * MAX_RESOURCE_BYTES;
/** Part of it that one tab may use: a page that does not answer delays only itself. */
export const MAX_TAB_BYTES = MAX_READ_BYTES / 2;

interface Waiting {
  readonly tab: object;
  readonly bytes: number;
  readonly go: () => void;
}

/** Memory for bodies that are read from the browser, shared by all tabs of a cell. */
export class BodyRoom {
  /** In order of arrival; those of a tab that has its part by now are passed over. */
  readonly #waiting: Waiting[] = [];
  readonly #usedBy = new Map<object, number>();
  #used = 0;

  /** Waits for room for a body of so many bytes, at most the largest that is read. Call the returned function at its end. */
  async take(tab: object, size: number): Promise<() => void> {
    const bytes = Math.min(Math.max(0, size), MAX_RESOURCE_BYTES);
    if (!this.#waiting.some((each) => each.tab === tab) && this.#fits(tab, bytes)) this.#use(tab, bytes);
    else await new Promise<void>((go) => this.#waiting.push({ tab, bytes, go }));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#use(tab, -bytes);
      this.#next();
    };
  }

  #fits(tab: object, bytes: number): boolean {
    return this.#used + bytes <= MAX_READ_BYTES && (this.#usedBy.get(tab) ?? 0) + bytes <= MAX_TAB_BYTES;
  }

  #use(tab: object, bytes: number): void {
    const used = (this.#usedBy.get(tab) ?? 0) + bytes;
    if (used > 0) this.#usedBy.set(tab, used);
    else this.#usedBy.delete(tab);
    this.#used += bytes;
  }

  #next(): void {
    const passed = new Set<object>();
    for (const waiting of [...this.#waiting]) {
      const { tab, bytes, go } = waiting;
      if (passed.has(tab)) continue;
      if (!this.#fits(tab, bytes)) {
        passed.add(tab);
        continue;
      }
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#use(tab, bytes);
      go();
    }
  }
}
