import type { ParamsOf, PersonHistory } from '../../../core/index.ts';
import { pathOfPage } from '../../../core/protocol/shell-address.ts';
import type { historyJump, updateNavbar } from '../protocol.ts';

/** State of each history entry of the shell: the page's entry that it represents, and the policy for it (M-025). */
export interface EntryState {
  readonly hid: number;
  readonly url: string;
  readonly persistent_policy: unknown;
}

/** Time in which the shell's history has moved, in ms. */
const MOVE_MS = 1000;

function stateOf(value: unknown): EntryState | undefined {
  const state = value as Partial<EntryState> | null;
  return typeof state?.hid === 'number' && typeof state.url === 'string' ? (state as EntryState) : undefined; // checked
}

/**
 * Synchronizes the shell's history with the page's. Each of its entries represents one of the page's, so that the person's back and forward
 * buttons, and long presses on them, work as usual.
 */
export class ShellHistory implements PersonHistory {
  readonly #window: Window;
  readonly #prefix: string;
  readonly #goTo: (entry: EntryState) => void;
  /** The entry of the page that the shell is in. */
  #current: number | undefined;
  /** The same, as last said by the host: the person may have moved the shell since. */
  #agreed: number | undefined;
  /** The entry in which the shell was loaded again, until the page's position is known: the person may have gone there meanwhile. */
  #restored: EntryState | undefined;
  /** Acts that wait until the shell has moved: a browser adds entries, and names the one it is in, before it moves. */
  #waiting: (() => unknown)[] | undefined;

  /** `goTo` navigates the page to an entry after the person has moved the shell. `isRestored`: the shell was loaded again in an entry. */
  constructor(window: Window, prefix: string, goTo: (entry: EntryState) => void, isRestored = false) {
    this.#window = window;
    this.#prefix = prefix;
    this.#goTo = goTo;
    const entry = stateOf(window.history.state);
    this.#agreed = this.#current = entry?.hid;
    if (isRestored) this.#restored = entry;
  }

  /** See `PersonHistory`. */
  inEntry(act: () => unknown): void {
    if (!this.#waiting?.push(act)) act();
  }

  update({ kind, after = this.#agreed, ...entry }: ParamsOf<typeof updateNavbar>): void {
    if (after !== this.#current) return;
    const restored = this.#restored;
    this.#restored = undefined;
    if (restored && restored.url !== entry.url) return this.#goTo(restored);
    const isNew = (kind === 'add' || kind === 'pushstate') && this.#current !== entry.hid;
    this.#set(entry, isNew);
  }

  /** The page has navigated to an entry, by itself or on request. The shell follows unless it is already there. */
  jump({ delta, ...entry }: ParamsOf<typeof historyJump>): void {
    const { history } = this.#window;
    const set = (): unknown => stateOf(history.state)?.hid === entry.hid && (this.#set(entry), true);
    if (!set() && delta !== 0) {
      this.#current = entry.hid;
      const waiting: (() => unknown)[] = (this.#waiting = [set]);
      // Browsers drop this move where it meets another one of the person.
      setTimeout(() => waiting === this.#waiting && this.moved(history.state), MOVE_MS);
      history.go(delta);
    }
  }

  /** The shell has moved: through the person, or through {@link jump}. */
  moved(state: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const entry = stateOf(state);
    if (entry && entry.hid !== this.#current) {
      this.#current = entry.hid;
      this.#goTo(entry);
    }
    waiting?.forEach((act) => this.inEntry(act));
  }

  #set(entry: EntryState, isNew = false): void {
    this.#agreed = this.#current = entry.hid;
    this.#window.history[isNew ? 'pushState' : 'replaceState'](entry, '', pathOfPage(entry.url, this.#prefix));
  }
}
