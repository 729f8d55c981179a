import type { InputTurn, ParamsOf } from '../../../host/plugin.ts';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import type { keyboard } from '../protocol.ts';

type KeyInput = ParamsOf<typeof keyboard>;

/** Most keys that are down in a page at once: more than a person has fingers. Past it the oldest comes up. */
export const MAX_HELD = 20;

/** The keys that are down in the page of a tab, so that none stays down when its release is lost. */
export class HeldKeys {
  readonly #press: (turn: InputTurn, key: KeyInput) => void;
  /** By their place on the keyboard, the oldest first. */
  readonly #down = new Map<string, KeyInput>();
  /** Keys whose release was dropped, as too much waited for the page. */
  readonly #owed = new Set<string>();

  constructor(press: (turn: InputTurn, key: KeyInput) => void) {
    this.#press = press;
  }

  /** Presses or releases a key in the page, and those before it whose release was lost. */
  apply(turn: InputTurn, key: KeyInput): void {
    const { code, type } = key;
    this.#owed.delete(code);
    for (const owed of this.#owed) this.#release(turn, owed);
    this.#owed.clear();
    if (type === 'up') this.#down.delete(code);
    else {
      const [oldest] = this.#down.keys();
      if (oldest !== undefined && this.#down.size >= MAX_HELD && !this.#down.has(code)) this.#release(turn, oldest);
      this.#down.set(code, key);
    }
    this.#press(turn, key);
    // A Mac reports no release of a key while Command is down.
    if (type === 'up' && key.key === 'Meta')
      for (const [each, { modifiers }] of this.#down) if (modifiers & INPUT_FLAGS.meta) this.#release(turn, each);
  }

  /** The release of a key was dropped: it comes up before the next key. */
  owe({ code }: KeyInput): void {
    if (this.#down.has(code)) this.#owed.add(code);
  }

  releaseAll(turn: InputTurn): void {
    for (const code of this.#down.keys()) this.#release(turn, code);
    this.#owed.clear();
  }

  /** The page is another: nothing is down in it. */
  forget(): void {
    this.#down.clear();
    this.#owed.clear();
  }

  #release(turn: InputTurn, code: string): void {
    const key = this.#down.get(code);
    if (!key) return;
    this.#down.delete(code);
    this.#press(turn, { ...key, type: 'up', repeat: false, modifiers: 0, text: '' });
  }
}
