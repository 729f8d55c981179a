/** Names of keys that a shortcut goes by: `mod+f`, `mod+shift+g`, `f3`. `mod` is Ctrl, or Command. */
type Shortcut = string;

type Press = (shortcut: Shortcut, isRepeat: boolean) => void;

/** The shortcut that a key is pressed for; undefined where it is the modifier itself, or both of Ctrl and Command are held. */
function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): Shortcut {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  // Where no letters of ours are typed, the place of the key says which is meant.
  const name = key > '\x7f' && /^Key[A-Z]$/.test(code) ? code.slice(3) : key;
  const modifiers = [(ctrlKey || metaKey) && 'mod', ctrlKey && metaKey && 'both', altKey && 'alt', shiftKey && 'shift'];
  return [...modifiers.filter(Boolean), name.toLowerCase()].join('+');
}

/**
 * Shortcuts of the browser that the page comes before: what is registered hears of a key only when the page has handled it and has not
 * prevented its default. Keys that the page makes up are none.
 */
export class Shortcuts {
  readonly #presses = new Map<Press, readonly Shortcut[]>();
  #last: Event | undefined;

  /** Registers a callback for these shortcuts. Returns its undo function. */
  add(shortcuts: readonly Shortcut[], press: Press): () => void {
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
