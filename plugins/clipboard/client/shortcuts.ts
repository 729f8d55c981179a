/** The shortcut that is pressed now, as far as it copies or pastes; it lasts until a key is released, or another pressed. */
export class Shortcuts {
  #event: KeyboardEvent | undefined;
  #letter: string | undefined;
  #isOurs = false;

  /** Takes a key. True: the core is not to forward it, its effect is sent instead. */
  press(event: KeyboardEvent): boolean {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    this.#event = event;
    this.#isOurs = false;
    this.#letter = undefined;
    if (altKey) return false;
    // Where no letters of ours are typed, the place of the key says which is meant.
    if (ctrlKey || metaKey) this.#letter = (key > '\x7f' ? code.slice(3) : key).toLowerCase();
    // The older ones: their events come like those of the others, but in the surrogate only the letters do what they say.
    this.#isOurs =
      (key === 'Insert' && ctrlKey !== shiftKey && !metaKey) || (key === 'Delete' && shiftKey && !ctrlKey && !metaKey);
    if (this.#isOurs) this.#letter = key === 'Delete' ? 'x' : ctrlKey ? 'c' : 'v';
    return this.#isOurs;
  }

  release(): void {
    this.#event = this.#letter = undefined;
    this.#isOurs = false;
  }

  get pastes(): boolean {
    return this.#letter === 'v';
  }

  /** Whether the page hears of the key that copies or cuts. */
  get isForwarded(): boolean {
    return (this.#letter === 'c' || this.#letter === 'x') && !this.#isOurs;
  }

  /** Whether the release of the pasting key is going to be forwarded. */
  get isHeld(): boolean {
    return this.pastes && !this.#isOurs;
  }

  get meta(): boolean {
    return this.isHeld && this.#event?.metaKey === true;
  }

  /** Pasting without looks. */
  get isPlain(): boolean {
    return this.isHeld && this.#event?.shiftKey === true;
  }
}
