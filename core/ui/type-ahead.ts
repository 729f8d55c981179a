/** Time without a key after which letters begin anew, in ms. */
const PAUSE_MS = 700;
/** Letters that are kept. */
const MAX_TYPED = 40;

/** Finds items by the letters that are typed. */
export class TypeAhead {
  #typed = '';
  #since = -Infinity;

  /** Whether letters have just been typed, to which a space would belong. */
  get isTyping(): boolean {
    return this.#typed !== '' && performance.now() - this.#since < PAUSE_MS;
  }

  /** Adds a letter. Returns the item that is meant: from the current one on; after it for the first letter, and for one that is repeated. */
  type(letter: string, items: readonly { readonly label: string }[], current: number): number | undefined {
    if (!this.isTyping) this.#typed = '';
    this.#since = performance.now();
    this.#typed = (this.#typed + letter.toLocaleLowerCase()).slice(-MAX_TYPED);
    const [first = ''] = this.#typed;
    const isRepeated = this.#typed === first.repeat(this.#typed.length);
    const wanted = isRepeated ? first : this.#typed;
    const from = isRepeated ? current + 1 : Math.max(current, 0);
    for (let i = 0; i < items.length; i += 1) {
      const index = (from + i) % items.length;
      if (items[index]?.label.toLocaleLowerCase().startsWith(wanted)) return index;
    }
    return undefined;
  }
}
