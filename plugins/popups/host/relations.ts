import { token } from '../../../host/plugin.ts';

/** How a tab brings others to the front, in the person's browser. */
interface Front {
  /** Brings the window in another tab, which this one has opened, to the front. */
  readonly window: () => void;
  readonly tab: string;
}

/** Which tabs of one person show windows that other tabs have opened. */
export class Relations {
  /** By the tab that shows a window. */
  readonly #openers = new Map<string, Front>();
  /** By tab: brings its own opener to the front. */
  readonly #ofOpener = new Map<string, () => void>();

  /** Adds a tab, until the undo function is called. `openerToFront`: brings the tab's opener to the front. */
  add(tab: string, openerToFront: () => void): () => void {
    this.#ofOpener.set(tab, openerToFront);
    return () => {
      this.#ofOpener.delete(tab);
      for (const [shown, { tab: opener }] of this.#openers) if (opener === tab) this.#openers.delete(shown);
    };
  }

  /** A tab shows a window that `opener` has opened. */
  opened(opener: string, shown: string, window: () => void): () => void {
    this.#openers.set(shown, { tab: opener, window });
    return () => void this.#openers.delete(shown);
  }

  /** A script has brought the page of a tab to the front: whoever can reach its window in the person's browser does so there. */
  focus(tab: string): void {
    this.#openers.get(tab)?.window();
    for (const [shown, { tab: opener }] of this.#openers) if (opener === tab) this.#ofOpener.get(shown)?.();
  }
}

export const relationsToken = token<Relations>('popups.relations');
