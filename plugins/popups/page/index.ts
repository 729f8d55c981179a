import type { ActivatePage } from '../../../core/page.ts';
import { separate, windowFocused } from '../protocol.ts';

type Listener = (message: unknown, sender: unknown, answer: (isRelated: boolean) => void) => void;

/** As much of `chrome.runtime` as a content script uses here. */
interface ExtensionRuntime {
  sendMessage(message: string): Promise<unknown>;
  readonly onMessage: Record<'addListener' | 'removeListener', (listener: Listener) => void>;
}

/** Schemes of documents; the surrogate would ask for an application of its own machine for all others, in a dialog that takes the keyboard. */
const SHOWN = /^(?:https?|about|blob|data|javascript):/i;

/**
 * Passes the host's wish on to the extension half, and what that says of the window on to the host: only the extension sees windows. Keeps the
 * surrogate from opening applications: those are the person's.
 */
export const activate: ActivatePage = ({ commands, signal }) => {
  window.navigation.addEventListener(
    'navigate',
    (event) => {
      if (!SHOWN.test(event.destination.url)) event.preventDefault();
    },
    { signal },
  );
  const { chrome } = globalThis as { chrome?: { readonly runtime?: ExtensionRuntime } }; // absent on Chromium's own pages
  const runtime = chrome?.runtime;
  let hasOpened = false;
  commands.handle(separate, () => {
    hasOpened = true;
    runtime?.sendMessage('separate').catch(() => undefined); // nobody answers
  });
  if (window !== window.top || !runtime) return;
  const heard: Listener = (message, _sender, answer) => {
    const isRelated = hasOpened || window.opener !== null;
    if (message === 'focused' && isRelated) commands.send(windowFocused, undefined);
    answer(isRelated);
  };
  runtime.onMessage.addListener(heard);
  signal.addEventListener('abort', () => runtime.onMessage.removeListener(heard), { once: true });
};
