import type { UseJob } from './sanitize/stream.ts';

/** Maximum number of references of one document, and total length of their addresses in UTF-16 units; the oldest are dropped. */
export const MAX_USES = 10_000;
export const MAX_USE_UNITS = 4 * 1024 * 1024;

/** References of the `use` elements of one document into other files. A reference that is dropped shows nothing. */
export class UseTable {
  readonly #jobs = new Map<number, UseJob>();
  #units = 0;

  get size(): number {
    return this.#jobs.size;
  }

  /** Total length of the addresses, in UTF-16 units. */
  get units(): number {
    return this.#units;
  }

  /** Records the references of a batch, and returns the new ones by file. */
  note(jobs: readonly UseJob[]): Map<string, UseJob[]> {
    const byAddress = new Map<string, UseJob[]>();
    for (const job of jobs) {
      this.#drop(job.id);
      if (job.address === undefined) continue;
      this.#jobs.set(job.id, job);
      this.#units += job.address.length;
      const sameFile = byAddress.get(job.address);
      if (sameFile) sameFile.push(job);
      else byAddress.set(job.address, [job]);
    }
    for (const id of this.#jobs.keys()) {
      if (this.#jobs.size <= MAX_USES && this.#units <= MAX_USE_UNITS) break;
      this.#drop(id);
    }
    return byAddress;
  }

  /** Whether the reference is still its element's. */
  has(job: UseJob): boolean {
    return this.#jobs.get(job.id) === job;
  }

  /** Called when another document starts. */
  clear(): void {
    this.#jobs.clear();
    this.#units = 0;
  }

  #drop(id: number): void {
    this.#units -= this.#jobs.get(id)?.address?.length ?? 0;
    this.#jobs.delete(id);
  }
}
