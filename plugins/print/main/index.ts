import { standBefore } from '../../../core/main.ts';
import type { ActivateMain } from '../../../core/main.ts';

/** Hears of the page's `print()`, of which Chromium tells nobody more than once in a document that nobody sees. */
export const activate: ActivateMain = (line) => {
  standBefore(window, 'print', ({ native }) => (line.send('print', '') ? undefined : native()));
};
