import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';

const { alt, meta, shift } = INPUT_FLAGS;

/** Commands of Chromium's editor for keys with Command, as a Mac has them; with Shift those that move select. */
const WITH_COMMAND: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  z: 'undo',
  Z: 'redo',
  ArrowLeft: 'moveToBeginningOfLine',
  ArrowRight: 'moveToEndOfLine',
  ArrowUp: 'moveToBeginningOfDocument',
  ArrowDown: 'moveToEndOfDocument',
  Backspace: 'deleteToBeginningOfLine',
  Delete: 'deleteToEndOfLine',
};
/** The same for keys with Option. */
const WITH_OPTION: Readonly<Record<string, string>> = {
  ArrowLeft: 'moveWordLeft',
  ArrowRight: 'moveWordRight',
  ArrowUp: 'moveToBeginningOfParagraph',
  ArrowDown: 'moveToEndOfParagraph',
  Backspace: 'deleteWordBackward',
  Delete: 'deleteWordForward',
};

/**
 * The editing commands of a key that a Mac has and the surrogate, which is none, has not: Chromium there handles those with Ctrl itself. Keys with
 * Option come from Macs alone, but for Backspace and Delete: with Alt they do nothing elsewhere.
 */
export function editingCommands(key: string, modifiers: number): string[] {
  const held = modifiers & (INPUT_FLAGS.ctrl | alt | meta);
  const table = held === meta ? WITH_COMMAND : held === alt ? WITH_OPTION : undefined;
  const command = table && Object.hasOwn(table, key) ? table[key] : undefined;
  if (command === undefined) return [];
  return [modifiers & shift && command.startsWith('move') ? `${command}AndModifySelection` : command];
}
