import type { ActivatePage } from '../../../core/page.ts';
import { separate } from '../protocol.ts';

/** As much of `chrome.runtime` as a content script uses here. */
interface ExtensionRuntime {
  sendMessage(message: string): Promise<unknown>;
}

/** Passes the host's wish on to the extension half: only the extension can move windows. */
export const activate: ActivatePage = ({ commands }) => {
  commands.handle(separate, () => {
    const { chrome } = globalThis as { chrome?: { readonly runtime?: ExtensionRuntime } }; // absent on Chromium's own pages
    chrome?.runtime?.sendMessage('separate').catch(() => undefined); // nobody answers
  });
};
