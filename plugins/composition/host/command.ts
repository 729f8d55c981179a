import type { InputTurn } from '../../../host/plugin.ts';

/** Key code of the keys that an input method has taken. */
const PROCESS_KEY = 229;

/** Runs an editing command of Chromium, as a keyboard on a screen does. Resolves and rejects as {@link InputTurn.send}. */
export async function command(turn: InputTurn, name: string): Promise<void> {
  const key = { key: 'Unidentified', windowsVirtualKeyCode: PROCESS_KEY };
  await Promise.all([
    turn.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands: [name] }),
    turn.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ]);
}
