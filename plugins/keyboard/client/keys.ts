import { isApple } from '../../../core/protocol/platform.ts';

/** Fields of a key event that say what it types, and whose shortcut it is. */
export type Key = Pick<KeyboardEvent, 'key' | 'keyCode' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

/** Whether the person has a Mac, an iPhone or an iPad, whose shortcuts go by Command. */
const isMac = (): boolean => isApple(navigator.platform);

/**
 * Whether a key has no character of its own: Enter, Shift, F1. A key may type several at once, as `لا` in Arabic, or `´x` where an accent fits
 * no letter.
 */
const isNamed = (key: string): boolean => /^[A-Z][A-Za-z\d]+$/.test(key);

/** Whether a key types with AltGraph, which platforms report as Ctrl and Alt together. Option of a Mac types likewise, and is reported as Alt alone. */
export function isAltGraph(event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey } = event;
  return event.getModifierState('AltGraph') || (isMac() && altKey && !ctrlKey && !metaKey && !isNamed(key));
}

/**
 * The text that a key types; empty for keys that type none, and for shortcuts. Enter with Ctrl types a line feed, as in Chromium: a key press
 * that pages hear, and that neither begins a line nor submits a form.
 */
export function keyText(
  { ctrlKey, altKey, metaKey }: Omit<Key, 'key' | 'keyCode'>,
  altGraph: boolean,
  key: string,
): string {
  if (key === 'Enter' && !altKey && !metaKey) return ctrlKey ? '\n' : '\r';
  return isNamed(key) || (!altGraph && (ctrlKey || altKey || metaKey)) ? '' : key;
}

/** The Latin letter or digit of a shortcut, by the platform's own rules: on Greek, Hebrew and Russian layouts, too. Otherwise the key's name. */
function shortcutKey({ key, keyCode }: Key): string {
  const latin = String.fromCharCode(keyCode);
  return (/[a-z\d+=-]/i.test(key) || !/[A-Z\d]/.test(latin) ? key : latin).toLowerCase();
}

const FUNCTION_KEYS = /^(f(5|6|1[12])|browser(back|forward|refresh))$/;
/** With Ctrl, or Command: tabs, windows, reloading, zoom, the address bar, developer tools. */
const BROWSER_KEYS = /^([tnwldhjqr+=0-]|tab|pageup|pagedown)$/;

/** Whether a key is a shortcut of the person's browser. */
export function isBrowserKey(event: Key, altGraph: boolean): boolean {
  const { ctrlKey, altKey, metaKey, shiftKey } = event;
  const key = shortcutKey(event);
  const mac = isMac();
  return (
    FUNCTION_KEYS.test(key) ||
    // Back and forward: the shell's history follows the page's (plugins/navigation). On a Mac they move by words.
    (!mac && altKey && !altGraph && /^arrow(left|right)$/.test(key)) ||
    ((mac ? metaKey : ctrlKey && !altGraph) &&
      (BROWSER_KEYS.test(key) ||
        (shiftKey && /^[cijk]$/.test(key)) ||
        // Back, forward, minimizing, settings; emoji and full screen.
        (mac && (ctrlKey || /^[[\]m,]$/.test(key)))))
  );
}

/**
 * The letter of a shortcut whose default the view still needs: the browser itself must copy and cut, say what is to be pasted, and select
 * all of a field, so that what is copied next is there.
 */
export function nativeShortcut(event: KeyboardEvent): string | undefined {
  const command = isMac() ? event.metaKey : event.ctrlKey;
  return command && !event.altKey ? /^[acxv]$/.exec(shortcutKey(event))?.[0] : undefined;
}
