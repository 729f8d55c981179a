import { ADDRESS_ORIGINALS, MAX_ORIGINAL_UNITS, ORIGINAL_PREFIX } from './policy.ts';

/** An attribute that is given its text after all. */
export interface Revealed {
  readonly id: number;
  /** Name of the attribute that keeps the text. */
  readonly name: string;
  readonly text: string;
}

/** What of one document's addresses is remembered in case that a sheet asks for it, in UTF-16 units. */
const MAX_WITHHELD_UNITS = 4 * 1024 * 1024;
/** What counts besides the text itself. */
const ENTRY_UNITS = 32;

/**
 * What one document has said in attributes that are changed or left out, as far as its own sheets ask for it: an address stays here
 * until a selector compares it or `attr()` shows it. That there is one is always said, by an empty text.
 */
export class Originals {
  /** Takes up the names that the document's sheets ask for: as they are sanitized, since safe text is not read again. */
  readonly asked = new Set<string>();
  readonly #withheld = new Map<string, Map<number, string>>();
  #units = 0;

  /** The text that keeps what an attribute was; one that is an address may be empty for now. */
  text(id: number, name: string, said: string): string {
    const text = kept(said);
    if (!ADDRESS_ORIGINALS.has(name) || this.asked.has(name)) return text;
    this.forget(id, name);
    if (text !== '') this.#withhold(id, name, text);
    return '';
  }

  /** An element has the attribute no more, or as it was. */
  forget(id: number, name: string): void {
    const of = this.#withheld.get(name);
    const text = of?.get(id);
    if (text === undefined) return;
    of?.delete(id);
    this.#units -= text.length + ENTRY_UNITS;
  }

  /** Answers with all that has been withheld, and is asked for by now. */
  reveal(): Revealed[] {
    const revealed: Revealed[] = [];
    for (const name of this.asked)
      for (const [id, text] of this.#withheld.get(name) ?? []) {
        revealed.push({ id, name: ORIGINAL_PREFIX + name, text });
        this.forget(id, name);
      }
    return revealed;
  }

  #withhold(id: number, name: string, text: string): void {
    const of = this.#withheld.get(name) ?? new Map<number, string>();
    this.#withheld.set(name, of);
    of.set(id, text);
    this.#units += text.length + ENTRY_UNITS;
    // The oldest are likely gone from the page; if not, selectors do not find them.
    for (const [oldest] of of) {
      if (this.#units <= MAX_WITHHELD_UNITS) break;
      this.forget(oldest, name);
    }
  }
}

/** As much of an original value as is kept: no code, though it would mean nothing. */
function kept(text: string): string {
  return /script\s*:/i.test(text) ? '' : text.slice(0, MAX_ORIGINAL_UNITS);
}
