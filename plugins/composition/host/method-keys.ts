import type { InputTurn, ParamsOf } from '../../../host/plugin.ts';
import { cdpModifiers } from '../../../core/protocol/input-flags.ts';
import type { key } from '../protocol.ts';

/** Most keys of an input method that are remembered as down: more than a person has fingers. */
const MOST_DOWN = 20;

type MethodKey = ParamsOf<typeof key>;

/** The keys that input methods have taken, so that none stays down in the page when its release is lost. */
export class MethodKeys {
  /** By their place on the keyboard. */
  readonly #down = new Map<string, MethodKey>();

  /** Presses or releases a key in the page. */
  apply(turn: InputTurn, input: MethodKey): void {
    if (input.type === 'up') this.#down.delete(input.code);
    else if (this.#down.size < MOST_DOWN) this.#down.set(input.code, input);
    press(turn, input);
  }

  releaseAll(turn: InputTurn): void {
    for (const input of this.#down.values()) press(turn, { ...input, type: 'up', repeat: false, modifiers: 0 });
    this.#down.clear();
  }

  /** The page is another: nothing is down in it. */
  forget(): void {
    this.#down.clear();
  }
}

function press(turn: InputTurn, input: MethodKey): void {
  const { type, key: name, code, key_code: keyCode, location, repeat, modifiers } = input;
  void turn.send('Input.dispatchKeyEvent', {
    type: type === 'up' ? 'keyUp' : 'rawKeyDown',
    key: name,
    code,
    windowsVirtualKeyCode: keyCode,
    nativeVirtualKeyCode: keyCode,
    location,
    isKeypad: location === 3,
    autoRepeat: repeat,
    modifiers: cdpModifiers(modifiers),
  });
}
