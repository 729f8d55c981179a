import { inputToken } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';
import { shortcutOf } from '../../../core/protocol/shortcut.ts';
import { lockKeyboard } from './keyboard-lock.ts';
import { isAltGraph, keyText } from './keys.ts';
import { leaveView } from './leave-view.ts';
import { sendKey } from './send-key.ts';
import type { Keys } from './send-key.ts';

/**
 * Whether a key goes to a list whose options are elements of the page (`appearance: base-select`), and which is open in the view: the page's own is
 * closed, and hears of the choice. Browsers without such lists know no `:open`.
 */
function isOfOpenList(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() as [Element]; // keys go to elements
  const list = Element.prototype.closest.call(target, 'select');
  return CSS.supports('selector(:open)') && list !== null && Element.prototype.matches.call(list, ':open');
}

/**
 * Handles what the keyboard needs now and then, once the person acts in the view: accents, the way out of the page, and shortcuts that
 * are the page's. */
export function tendKeys({ commands, services, signal, onDispose }: ClientScope, keys: Keys): void {
  if (signal.aborted) return;
  /** An accent waits for its letter. */
  let isDead = false;
  /** The key that completes it. */
  let completing: KeyboardEvent | undefined;
  keys.completes = (event) => {
    completing = undefined;
    if (event.isComposing) return false;
    if (isOfOpenList(event)) return true;
    if (event.key === 'Dead') isDead = true;
    else if (isDead && event.key !== 'Enter' && keyText(event, isAltGraph(event), event.key)) {
      // Some browsers say the letter here, without its accent: the key press that follows has both.
      isDead = false;
      completing = event;
      return true;
    }
    return false;
  };
  let isLocked = false;
  // F6 and F11 are the person's way out, of the page and of full screen.
  keys.isHeldBack = (event) =>
    (isLocked && !/^F(6|11)$/.test(event.key)) || keys.control.split(' ').includes(shortcutOf(event));
  const lock = async (): Promise<void> => {
    isLocked = await lockKeyboard();
  };
  document.addEventListener('fullscreenchange', () => void lock(), { signal });
  void lock();
  onDispose(
    services.get(inputToken).add(({ frame, on, renderer }) => {
      on('keydown', (event) => {
        // F6 goes round the parts of the browser; with Ctrl or Command, those of the shell.
        if (event.key !== 'F6' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        leaveView(renderer.view, event.shiftKey);
      });
      on('keypress', (event) => {
        if (!completing) return;
        event.preventDefault();
        sendKey(keys, commands, frame, completing, 'down', String.fromCharCode(event.charCode));
      });
    }),
  );
}
