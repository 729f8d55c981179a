import type { ActivateHost, InputTurn, ParamsOf } from '../../../host/plugin.ts';
import { cdpModifiers } from '../../../core/protocol/input-flags.ts';
import { insertText, keyboard } from '../protocol.ts';
import { editingCommands } from './editing-commands.ts';
import { HeldKeys } from './held-keys.ts';
import { controlKeys } from './key-control.ts';

/** Longest text of a key that Chromium takes, in UTF-16 units. */
const MAX_KEY_TEXT = 3;

/** Presses keys in the page, and puts whole texts there: Chromium hands both to whatever frame has the focus. */
export const activate: ActivateHost = (scope) => {
  const { commands, hooks, input, tab } = scope;
  const held = new HeldKeys(press);
  commands.handle(keyboard, async (key) => {
    // The key that has closed a dialog comes up in the page: that is no act there.
    const { type, at } = key;
    const kind = { isPress: type === 'down', ...(type === 'down' && at !== undefined && { pressedAt: at }) };
    const isTaken = await input.enqueue((turn) => held.apply(turn, key), kind);
    if (!isTaken && type === 'up') held.owe(key);
  });
  commands.handle(insertText, ({ text }) => {
    void input.enqueue((turn) => void turn.send('Input.insertText', { text }));
  });
  hooks.tap(tab.hooks.replaced, () => held.forget());
  // Nobody reports where keys come up then; one that is still down goes down again when it repeats.
  hooks.tap(tab.hooks.inputLost, () => void input.enqueue((turn) => held.releaseAll(turn)));
  controlKeys(scope);
};

function press(turn: InputTurn, input: ParamsOf<typeof keyboard>): void {
  const { type, key, code, key_code, location, repeat, modifiers, text } = input;
  const isTyped = type === 'down' && text !== '' && text.length <= MAX_KEY_TEXT;
  void turn.send('Input.dispatchKeyEvent', {
    type: type === 'up' ? 'keyUp' : isTyped ? 'keyDown' : 'rawKeyDown',
    key,
    code,
    windowsVirtualKeyCode: key_code,
    nativeVirtualKeyCode: key_code,
    location,
    isKeypad: location === 3,
    autoRepeat: repeat,
    modifiers: cdpModifiers(modifiers),
    ...(isTyped && { text, unmodifiedText: text }),
    ...(type === 'down' ? { commands: editingCommands(key, modifiers) } : {}),
  });
  if (type === 'down' && text.length > MAX_KEY_TEXT) void turn.send('Input.insertText', { text });
}
