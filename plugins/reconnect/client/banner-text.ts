/** The banner's text, which changes while it is shown; made for React's `useSyncExternalStore`. */
export class BannerText {
  #text = '';
  readonly #listeners = new Set<() => void>();

  readonly get = (): string => this.#text;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Shows a text; an empty one hides the banner. */
  set(text: string): void {
    this.#text = text;
    for (const listener of this.#listeners) listener();
  }
}
