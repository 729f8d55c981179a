import { toAppError } from '../../../host/plugin.ts';
import type { HostScope, InputTurn } from '../../../host/plugin.ts';

/** CDP's bits of keys held. */
const CTRL = 2;
const META = 4;
const SHIFT = 8;
/** Timeout of a key in the page, in ms: a page that opens a dialog does not report that the key is done. */
const KEY_DEADLINE_MS = 3000;

const KEYS = {
  copy: { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67 },
  cut: { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88 },
  paste: { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86 },
  pasteAndMatchStyle: { key: 'V', code: 'KeyV', windowsVirtualKeyCode: 86 },
};

/** A shortcut as the page sees it. */
export interface Shortcut {
  readonly command: keyof typeof KEYS;
  /** The person has pressed it: its release comes with the other keys. */
  readonly byKey: boolean;
  readonly meta: boolean;
}

/**
 * Presses a shortcut: Chromium fires trusted events and edits, unless the page prevents it, wherever the focus is. Resolves once the page is
 * done with it, or does not say so for long.
 */
export async function pressKey(
  turn: InputTurn,
  log: HostScope['log'],
  { command, byKey, meta }: Shortcut,
): Promise<void> {
  const modifiers = (meta ? META : CTRL) | (command === 'pasteAndMatchStyle' ? SHIFT : 0);
  const key = { ...KEYS[command], modifiers };
  const options = { deadlineMs: KEY_DEADLINE_MS };
  try {
    await turn.send('Input.dispatchKeyEvent', { ...key, type: 'rawKeyDown', commands: [command] }, options);
    if (!byKey) await turn.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' }, options);
  } catch (thrown) {
    const fault = toAppError(thrown);
    if (fault.code !== 'cdp-timeout') throw fault;
    log.info('the page takes long over a shortcut', { command });
  }
}
