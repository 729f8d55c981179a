import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Reports the page's `print()` calls. In a document that is not visible, Chromium reports only the first one. */
export const activate: ActivateMain = (line) => {
  interceptMethod(window, 'print', ({ native }) => (line.send('print', '') ? undefined : native()));
};
