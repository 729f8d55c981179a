/** Labels of keys, where they are not their names. */
const MAC: Readonly<Record<string, string>> = { Control: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘' };
const PC: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { Control: 'Ctrl', Delete: 'Del', Escape: 'Esc' },
  de: { Control: 'Strg', Shift: 'Umschalt', Delete: 'Entf', Enter: 'Eingabe', Escape: 'Esc' },
};
const ARROWS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Keys in the form of `aria-keyshortcuts` (`Control+Shift+F`) as people know them: `Ctrl+Shift+F`, `Strg+Umschalt+F`, `⌃⇧F`. */
export function keyHint(keys: string, { language, platform } = navigator): string {
  const isMac = /mac|iphone|ipad/i.test(platform);
  const names = isMac ? MAC : (PC[language.split('-')[0] ?? ''] ?? PC['en'] ?? {});
  return keys
    .split('+')
    .map((key) => names[key] ?? ARROWS[key] ?? key)
    .join(isMac ? '' : '+');
}
