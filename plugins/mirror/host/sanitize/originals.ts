import { ADDRESS_ORIGINALS, MAX_ORIGINAL_UNITS, ORIGINAL_PREFIX } from './policy.ts';

/** An attribute whose withheld text is sent now. */
export interface Revealed {
  readonly id: number;
  /** Name of the attribute that holds the text. */
  readonly name: string;
  readonly text: string;
}

/** Maximum length of one document's addresses that are kept in case a sheet asks for them, in UTF-16 units. */
const MAX_WITHHELD_UNITS = 4 * 1024 * 1024;
/** Cost of an entry besides its text. */
const ENTRY_UNITS = 32;

/**
 * Original values of one document's attributes that are changed or dropped, as far as its own sheets need them. An address is withheld
 * until a selector compares it or `attr()` shows it; its presence is always visible, as an empty text.
 */
export class Originals {
  /** Names that the document's sheets ask for. Collected while sheets are sanitized, since sanitized text is not parsed again. */
  readonly asked = new Set<string>();
  readonly #withheld = new Map<string, Map<number, string>>();
  #units = 0;

  /** Returns the text for the attribute's original value; that of an address may be empty for now. */
  text(id: number, name: string, said: string): string {
    const text = kept(said);
    if (!ADDRESS_ORIGINALS.has(name) || this.asked.has(name)) return text;
    this.forget(id, name);
    if (text !== '') this.#withhold(id, name, text);
    return '';
  }

  /** Called when an element has lost the attribute, or it is no longer changed. */
  forget(id: number, name: string): void {
    const of = this.#withheld.get(name);
    const text = of?.get(id);
    if (text === undefined) return;
    of?.delete(id);
    this.#units -= text.length + ENTRY_UNITS;
  }

  /** Returns all withheld texts that are asked for now. */
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
    // The oldest are probably removed from the page; if not, selectors do not match them.
    for (const [oldest] of of) {
      if (this.#units <= MAX_WITHHELD_UNITS) break;
      this.forget(oldest, name);
    }
  }
}

/** Returns the part of an original value that is kept: no code, although it would have no effect. */
function kept(text: string): string {
  return /script\s*:/i.test(text) ? '' : text.slice(0, MAX_ORIGINAL_UNITS);
}
