const ROWS: Readonly<Record<number, string>> = {
  10: 'Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace Tab',
  24: 'KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft',
  38: 'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash',
  52: 'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight',
  64: 'AltLeft Space CapsLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10',
  108: 'AltRight',
  110: 'Home ArrowUp PageUp ArrowLeft ArrowRight End ArrowDown PageDown Insert Delete',
};
/** Numbers of keys in X by their `code`: those of Linux's evdev and 8. */
const NUMBERS = new Map([
  ['Escape', 'Escape'] as const, // its number, 9, would be the digit to xdotool
  ...Object.entries(ROWS).flatMap(([first, codes]) =>
    codes.split(' ').map((code, index) => [code, String(Number(first) + index)] as const),
  ),
]);
const MODIFIERS: Readonly<Record<string, string>> = {
  Shift: 'ShiftLeft',
  Control: 'ControlLeft',
  Alt: 'AltLeft',
  AltGr: 'AltRight',
};
/** Characters of the keys of an American keyboard in the order of {@link ROWS}, without and with Shift. */
const AMERICAN: Readonly<Record<number, readonly [string, string]>> = {
  10: ['1234567890-=', '!@#$%^&*()_+'],
  24: ['qwertyuiop[]', 'QWERTYUIOP{}'],
  38: ["asdfghjkl;'`", 'ASDFGHJKL:"~'],
  51: ['\\zxcvbnm,./', '|ZXCVBNM<>?'],
};

/** Number of a key in X: `KeyA`. Throws for a key that is not in the table. */
function numberOf(code: string): string {
  const number = NUMBERS.get(code);
  if (number === undefined) throw new Error(`There is no key ${code}`);
  return number;
}

/** The numbers of a chord's modifiers and of its key: `Shift+ArrowLeft`, `AltGr+KeyQ`. */
export function chord(keys: string): { readonly held: readonly string[]; readonly key: string } {
  const parts = keys.split('+');
  const key = numberOf(parts.pop() ?? '');
  return { held: parts.map((name) => numberOf(MODIFIERS[name] ?? name)), key };
}

/** The chord that types a character on an American keyboard. */
export function chordOf(character: string): string {
  if (character === ' ') return 'Space';
  if (character === '\n') return 'Enter';
  for (const [first, levels] of Object.entries(AMERICAN))
    for (const [level, characters] of levels.entries()) {
      const index = characters.indexOf(character);
      if (index < 0) continue;
      const number = String(Number(first) + index);
      const code = [...NUMBERS].find(([, each]) => each === number)?.[0];
      return `${level === 1 ? 'Shift+' : ''}${code}`;
    }
  throw new Error(`No key types ${character}`);
}
