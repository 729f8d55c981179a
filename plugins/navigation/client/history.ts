import type { ParamsOf } from '../../../core/index.ts';
import { pathOfPage } from '../../../core/protocol/shell-address.ts';
import type { historyJump, updateNavbar } from '../protocol.ts';

/** State of each history entry of the shell: the page's entry that it represents (M-025). */
interface EntryState {
  readonly hid: number;
  readonly url: string;
}

/** Time in which the shell's history has moved, in ms. */
const MOVE_MS = 1000;

function stateOf(value: unknown): EntryState | undefined {
  const state = value as Partial<EntryState> | null;
  return typeof state?.hid === 'number' && typeof state.url === 'string'
    ? { hid: state.hid, url: state.url }
    : undefined;
}

/**
 * Synchronizes the shell's history with the page's. Each of its entries represents one of the page's, so that the person's back and forward
 * buttons, and long presses on them, work as usual.
 */
export class ShellHistory {
  readonly #window: Window;
  readonly #prefix: string;
  readonly #goTo: (entry: number, url: string) => void;
  /** The page's current entry, as known to the shell. */
  #current: number | undefined;
  /** The entry to which the person has returned from another document, until the page's position is known. */
  #restored: EntryState | undefined;

  /** `goTo` navigates the page to an entry after the person has moved the shell. `isRestored`: the shell was loaded for that. */
  constructor(window: Window, prefix: string, goTo: (entry: number, url: string) => void, isRestored = false) {
    this.#window = window;
    this.#prefix = prefix;
    this.#goTo = goTo;
    const entry = stateOf(window.history.state);
    this.#current = entry?.hid;
    if (isRestored) this.#restored = entry;
  }

  update({ kind, hid, url, after = this.#current }: ParamsOf<typeof updateNavbar>): void {
    if (after !== this.#current) return;
    const restored = this.#restored;
    this.#restored = undefined;
    if (restored && restored.url !== url) {
      this.#goTo(restored.hid, restored.url);
      return;
    }
    const isNew = (kind === 'add' || kind === 'pushstate') && this.#current !== hid;
    this.#current = hid;
    const path = pathOfPage(url, this.#prefix);
    if (isNew) this.#window.history.pushState({ hid, url }, '', path);
    else this.#window.history.replaceState({ hid, url }, '', path);
  }

  /** The page has navigated to an entry, by itself or on request. The shell follows unless it is already there. */
  jump({ hid, url, delta }: ParamsOf<typeof historyJump>): void {
    this.#current = hid;
    if (stateOf(this.#window.history.state)?.hid === hid)
      this.#window.history.replaceState({ hid, url }, '', pathOfPage(url, this.#prefix));
    else if (delta !== 0) {
      this.#window.history.go(delta);
      // Browsers drop this move where it meets another one of the person.
      setTimeout(() => this.moved(this.#window.history.state), MOVE_MS);
    }
  }

  /** The shell has moved: through the person, or through {@link jump}. */
  moved(state: unknown): void {
    const entry = stateOf(state);
    if (!entry || entry.hid === this.#current) return;
    this.#current = entry.hid;
    this.#goTo(entry.hid, entry.url);
  }
}
