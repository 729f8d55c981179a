import type { ActivateHost, InputTurn, ParamsOf } from '../../../host/plugin.ts';
import { cdpModifiers, INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { insertText, keyboard } from '../protocol.ts';

/** Editing commands of shortcuts with Command: the surrogate's Chromium handles those with Ctrl itself. */
const COMMANDS: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', Z: 'redo' };
const commandsOf = (key: string): string[] => (Object.hasOwn(COMMANDS, key) ? [COMMANDS[key] ?? ''] : []);

/** Presses keys in the page, and puts whole texts there: Chromium hands both to whatever frame has the focus. */
export const activate: ActivateHost = ({ commands, input }) => {
  commands.handle(keyboard, (key) => {
    // The key that has closed a dialog comes up in the page: that is no act there.
    void input.enqueue((turn) => press(turn, key), { isPress: key.type === 'down' });
  });
  commands.handle(insertText, ({ text }) => {
    void input.enqueue((turn) => void turn.send('Input.insertText', { text }));
  });
};

function press(turn: InputTurn, input: ParamsOf<typeof keyboard>): void {
  const { type, key, code, key_code, location, repeat, modifiers, text } = input;
  const typed = type === 'down' && text !== '' ? { text, unmodifiedText: text } : {};
  void turn.send('Input.dispatchKeyEvent', {
    type: type === 'up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    windowsVirtualKeyCode: key_code,
    nativeVirtualKeyCode: key_code,
    location,
    isKeypad: location === 3,
    autoRepeat: repeat,
    modifiers: cdpModifiers(modifiers),
    ...typed,
    ...(type === 'down' && modifiers & INPUT_FLAGS.meta ? { commands: commandsOf(key) } : {}),
  });
}
