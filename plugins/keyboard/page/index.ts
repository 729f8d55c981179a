import type { ActivatePage } from '../../../core/page.ts';
import { pageLeaves } from '../protocol.ts';
import { PREVENTABLE } from '../browser-shortcuts.ts';

/** Reports the browser's shortcuts that the page has heard of and does not use (M-093). */
export const activate: ActivatePage = ({ commands, kernel }) => {
  kernel.onShortcut(PREVENTABLE, (shortcut) => commands.send(pageLeaves, { shortcut }));
};
