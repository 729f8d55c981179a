import type { HostInput, InputTurn } from '../../../host/plugin.ts';
import type { Target } from '../../../core/protocol/target.ts';
import type { Item } from '../protocol.ts';

/** CDP's bits of keys held. */
const CTRL = 2;
const SHIFT = 8;

/** Keys of the edits that are the page's, with the commands of Chromium's editor. */
const KEYS = {
  undo: { key: 'z', code: 'KeyZ', windowsVirtualKeyCode: 90, modifiers: CTRL, commands: ['undo'] },
  redo: { key: 'Z', code: 'KeyZ', windowsVirtualKeyCode: 90, modifiers: CTRL | SHIFT, commands: ['redo'] },
  'select-all': { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, modifiers: CTRL, commands: ['selectAll'] },
};

/** Whether an item is carried out by keys in the page. */
export const isPressed = (item: Item): item is keyof typeof KEYS => item in KEYS;

/** Presses the keys of an edit in the page: editors that do it themselves hear them, Chromium does it in all others. */
export function pressKeys(turn: InputTurn, item: keyof typeof KEYS): void {
  const { commands, ...key } = KEYS[item];
  void turn.send('Input.dispatchKeyEvent', { ...key, type: 'rawKeyDown', commands });
  void turn.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' });
}

/** Presses the right button at a target: a finger that rests there, and Ctrl with the only button of a Mac, do not. */
export async function pressRight(input: HostInput, turn: InputTurn, target: Target): Promise<void> {
  const place = await input.place(target);
  if (!place) return;
  const { session, x, y } = place;
  const press = { x, y, button: 'right', clickCount: 1, pointerType: 'mouse' } as const;
  void turn.send('Input.dispatchMouseEvent', { ...press, type: 'mousePressed', buttons: 2 }, { session });
  void turn.send('Input.dispatchMouseEvent', { ...press, type: 'mouseReleased', buttons: 0 }, { session });
}
