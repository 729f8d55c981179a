/** New entries, as far as they say over which of the others the person's buttons pass. */
interface AddedEntries {
  readonly entries: readonly { readonly id: number; readonly transitionType: string }[];
  /** Index of the entry in which the page was before: those after it are new. */
  readonly from: number;
  /** Whether the page has another document in the first of them. */
  readonly isLoaded: boolean;
  /** Whether the person has acted in the document in which the page was before. */
  readonly acted: boolean;
}

/** Whether the person has opened the address, and not the page, by Chromium's name of the navigation. Entries of embedded frames have that of their page. */
const isPersons = (transition: string): boolean => transition === 'typed' || transition === 'address_bar';

/**
 * Entries that the person's back and forward buttons pass over, as those of browsers do: a page has added the next entry although nobody had
 * acted in its document. Otherwise a page could hold the person by adding entries. In the person's own browser all of these are entries of one
 * document, the shell's.
 */
export class PassedEntries {
  readonly #documents = new Map<number, number>();
  readonly #passed = new Set<number>();
  #last = 0;

  /** The page continues in another browser. */
  renew(): void {
    this.#documents.clear();
    this.#passed.clear();
  }

  /** The person has acted in the document of an entry: none of its entries next to that one is passed over. */
  acted(ids: readonly number[], at: number): void {
    for (const id of this.#group(ids, at)) this.#passed.delete(id);
  }

  /** Whether two entries are of one document, or not both are known. */
  isOneDocument(one: number | undefined, other: number | undefined): boolean {
    if (one === undefined || other === undefined) return true;
    return this.#documentOf(one) === this.#documentOf(other);
  }

  added({ entries, from, isLoaded, acted }: AddedEntries): void {
    const ids = entries.map(({ id }) => id);
    if (acted) this.acted(ids, from);
    for (const [at, { id, transitionType }] of entries.entries()) {
      const before = ids[at - 1];
      if (at <= from || before === undefined) continue;
      // A new document may have added further entries before they were read.
      const isOther = isLoaded && at === from + 1;
      const isActive = acted && (!isLoaded || isOther);
      if (!isActive && !(isOther && isPersons(transitionType)))
        for (const each of this.#group(ids, at - 1)) this.#passed.add(each);
      this.#documents.set(id, isOther ? this.#next() : this.#documentOf(before));
    }
    this.#keep(ids);
  }

  /** An entry has taken the place of another. */
  replaced(before: number, id: number, sameDocument: boolean): void {
    if (!sameDocument) return;
    this.#documents.set(id, this.#documentOf(before));
    if (this.#passed.has(before)) this.#passed.add(id);
  }

  /** Index of the entry at which a person arrives who goes from one to another; the other where there is none beyond. */
  target(ids: readonly number[], from: number, to: number): number {
    const step = to - from;
    if (Math.abs(step) !== 1) return to;
    let at = to;
    for (let id = ids[at]; id !== undefined; id = ids[(at += step)]) if (!this.#passed.has(id)) return at;
    return to;
  }

  /** The entry at an index, and those next to it of the same document. */
  #group(ids: readonly number[], at: number): readonly number[] {
    const id = ids[at];
    if (id === undefined) return [];
    const document = this.#documentOf(id);
    const isOther = (each: number): boolean => this.#documents.get(each) !== document;
    const end = ids.findIndex((each, index) => index > at && isOther(each));
    return ids.slice(ids.findLastIndex((each, index) => index < at && isOther(each)) + 1, end < 0 ? undefined : end);
  }

  #documentOf(id: number): number {
    const known = this.#documents.get(id) ?? this.#next();
    this.#documents.set(id, known);
    return known;
  }

  #next(): number {
    return (this.#last += 1);
  }

  /** Browsers keep 50 entries of a page. */
  #keep(ids: readonly number[]): void {
    const left = new Set(ids);
    for (const id of this.#documents.keys()) if (!left.has(id)) this.#documents.delete(id);
    for (const id of this.#passed) if (!left.has(id)) this.#passed.delete(id);
  }
}
