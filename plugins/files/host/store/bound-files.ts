import type { FileOwner } from './contract.ts';

/** Files by the session that they end with, and their number for each person. */
export class BoundFiles<T extends { readonly facts: FileOwner }> {
  readonly #sessions = new Map<string, Set<T>>();
  readonly #counts = new Map<string, number>();

  countOf(person: string): number {
    return this.#counts.get(person) ?? 0;
  }

  ofSession(session: string): readonly T[] {
    return [...(this.#sessions.get(session) ?? [])];
  }

  add(file: T): void {
    const { person, session } = file.facts;
    const files = this.#sessions.get(session) ?? new Set();
    this.#sessions.set(session, files.add(file));
    this.#counts.set(person, this.countOf(person) + 1);
  }

  /** Does nothing for one that is not there. */
  delete(file: T): void {
    const { person, session } = file.facts;
    const files = this.#sessions.get(session);
    if (!files?.delete(file)) return;
    if (files.size === 0) this.#sessions.delete(session);
    const left = this.countOf(person) - 1;
    if (left === 0) this.#counts.delete(person);
    else this.#counts.set(person, left);
  }
}
