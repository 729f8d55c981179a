/** Fields of a key event that say which shortcut it is. */
type ShortcutKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Name of the shortcut that a key is pressed for: `mod+f`, `mod+shift+g`, `f3`. `mod` is Ctrl, or Command; with both of them held, there is a part `both`. */
export function shortcutOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: ShortcutKey): string {
  // Where no letters of ours are typed, the place of the key says which is meant.
  const name = key > '\x7f' && /^Key[A-Z]$/.test(code) ? code.slice(3) : key;
  const modifiers = [(ctrlKey || metaKey) && 'mod', ctrlKey && metaKey && 'both', altKey && 'alt', shiftKey && 'shift'];
  return [...modifiers.filter(Boolean), name.toLowerCase()].join('+');
}
