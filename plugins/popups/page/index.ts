import type { ActivatePage } from '../../../core/page.ts';
import { separate } from '../protocol.ts';

/** As much of `chrome.runtime` as a content script uses here. */
interface ExtensionRuntime {
  sendMessage(message: string): Promise<unknown>;
}

/** Schemes of documents; the surrogate would ask for an application of its own machine for all others, in a dialog that takes the keyboard. */
const SHOWN = /^(?:https?|about|blob|data|javascript):/i;

/**
 * Passes the host's wish on to the extension half: only the extension can move windows. Keeps the surrogate from opening applications: those
 * are the person's.
 */
export const activate: ActivatePage = ({ commands, signal }) => {
  window.navigation.addEventListener(
    'navigate',
    (event) => {
      if (!SHOWN.test(event.destination.url)) event.preventDefault();
    },
    { signal },
  );
  commands.handle(separate, () => {
    const { chrome } = globalThis as { chrome?: { readonly runtime?: ExtensionRuntime } }; // absent on Chromium's own pages
    chrome?.runtime?.sendMessage('separate').catch(() => undefined); // nobody answers
  });
};
