import { shortcutOf } from '../protocol/shortcut.ts';

type Press = (shortcut: string, isRepeat: boolean) => void;

/**
 * Shortcuts of the browser that the page comes before: what is registered hears of a key only when the page has handled it and has not
 * prevented its default. Keys that the page makes up are none.
 */
export class Shortcuts {
  readonly #presses = new Map<Press, readonly string[]>();
  #last: Event | undefined;

  /** Registers a callback for these shortcuts. Returns its undo function. */
  add(shortcuts: readonly string[], press: Press): () => void {
    this.#presses.set(press, shortcuts);
    return () => this.#presses.delete(press);
  }

  /** Hears a key go down, before the page does; more than once where the event passes several roots. */
  readonly hear = (event: Event): void => {
    if (!event.isTrusted || event === this.#last) return;
    this.#last = event;
    const shortcut = shortcutOf(event as KeyboardEvent); // of its type
    const presses = [...this.#presses].filter(([, shortcuts]) => shortcuts.includes(shortcut));
    if (presses.length === 0) return;
    const { repeat } = event as KeyboardEvent; // as above
    // A task of its own: all listeners of the page have run by then.
    setTimeout(() => {
      if (!event.defaultPrevented) for (const [press] of presses) press(shortcut, repeat);
    });
  };
}
