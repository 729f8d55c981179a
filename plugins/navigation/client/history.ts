import type { ParamsOf } from '../../../core/index.ts';
import { isolatedPath } from '../addresses.ts';
import type { AddressContext } from '../addresses.ts';
import type { historyJump, updateNavbar } from '../protocol.ts';

/** What each of the shell's history entries carries: the page's entry that it stands for (M-025). */
interface EntryState {
  readonly hid: number;
  readonly url: string;
}

function stateOf(value: unknown): EntryState | undefined {
  const state = value as Partial<EntryState> | null;
  return typeof state?.hid === 'number' && typeof state.url === 'string'
    ? { hid: state.hid, url: state.url }
    : undefined;
}

/**
 * Keeps the shell's history in step with the page's: each of its entries stands for one of the page's, so that the person's own back
 * and forward buttons, and long presses on them, work as they always do.
 */
export class ShellHistory {
  readonly #window: Window;
  readonly #context: AddressContext;
  readonly #goTo: (entry: number, url: string) => void;
  /** The entry that the page is at, as far as the shell knows. */
  #current: number | undefined;
  /** The entry that the person has come back to from another document, until it is known where the page is. */
  #restored: EntryState | undefined;

  /** `goTo` is asked to take the page to an entry when the person has moved the shell; `isRestored`: by loading it, too. */
  constructor(window: Window, context: AddressContext, goTo: (entry: number, url: string) => void, isRestored = false) {
    this.#window = window;
    this.#context = context;
    this.#goTo = goTo;
    const entry = stateOf(window.history.state);
    this.#current = entry?.hid;
    if (isRestored) this.#restored = entry;
  }

  update({ kind, hid, url }: ParamsOf<typeof updateNavbar>): void {
    const restored = this.#restored;
    this.#restored = undefined;
    if (restored && restored.url !== url) {
      this.#goTo(restored.hid, restored.url);
      return;
    }
    const isNew = (kind === 'add' || kind === 'pushstate') && this.#current !== hid;
    this.#current = hid;
    const path = isolatedPath(url, this.#context);
    if (isNew) this.#window.history.pushState({ hid, url }, '', path);
    else this.#window.history.replaceState({ hid, url }, '', path);
  }

  /** The page has gone to an entry by itself, or because it was asked to: the shell goes there too unless it is there already. */
  jump({ hid, url, delta }: ParamsOf<typeof historyJump>): void {
    this.#current = hid;
    if (stateOf(this.#window.history.state)?.hid === hid)
      this.#window.history.replaceState({ hid, url }, '', isolatedPath(url, this.#context));
    else if (delta !== 0) this.#window.history.go(delta);
  }

  /** Shows where the page is going, before it is there. */
  hint(url: string): void {
    this.#window.document.documentElement.dataset['vitrineHint'] = url;
  }

  /** The shell has moved: by the person, or by {@link jump}. */
  moved(state: unknown): void {
    const entry = stateOf(state);
    if (!entry || entry.hid === this.#current) return;
    this.#current = entry.hid;
    this.#goTo(entry.hid, entry.url);
  }
}
