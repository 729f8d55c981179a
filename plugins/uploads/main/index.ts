import type { ActivateMain } from '../../../core/main.ts';

/** Pickers that Chromium can only abort here: without them pages fall back to `<input type=file>`. */
const PICKERS = ['showOpenFilePicker', 'showDirectoryPicker'];

/** Hides the pickers of the File System Access API that open what the person has. */
export const activate: ActivateMain = () => {
  for (const name of PICKERS) Reflect.deleteProperty(globalThis, name);
};
