import type { ActivateExtension } from '../../../core/extension.ts';

interface Tab {
  readonly id?: number;
  readonly windowId: number;
}
interface Event<Args extends readonly unknown[]> {
  addListener(listener: (...args: Args) => void): void;
}
/** The parts of `chrome` that are used here; they need no permission. */
interface Chrome {
  readonly runtime: { readonly onMessage: Event<[message: unknown]> };
  readonly tabs: {
    query(filter: object): Promise<readonly Tab[]>;
    sendMessage(tab: number, message: string, options: { readonly frameId: number }): Promise<unknown>;
  };
  readonly windows: {
    readonly onFocusChanged: Event<[windowId: number]>;
    create(options: { readonly tabId: number; readonly focused: boolean }): Promise<unknown>;
    update(windowId: number, options: { readonly focused: boolean }): Promise<unknown>;
  };
}

const { chrome } = globalThis as typeof globalThis & { readonly chrome: Chrome };

/**
 * Gives each page a window of its own: behind another tab of its window, a page counts as hidden and falls to 2 frames a second. Tells a page
 * when a script has brought its window to the front. Whoever asks for it: it does no more.
 */
export const activate: ActivateExtension = () => {
  let moving: Promise<unknown> = Promise.resolve();
  chrome.runtime.onMessage.addListener((message) => {
    if (message === 'separate') moving = moving.then(separate, () => undefined);
  });
  chrome.windows.onFocusChanged.addListener((windowId) => {
    if (windowId > 0) void tell(windowId, 'focused');
  });
};

async function separate(): Promise<void> {
  const seen = new Set<number>();
  for (const { id, windowId } of await chrome.tabs.query({})) {
    const isFirst = !seen.has(windowId);
    seen.add(windowId);
    // A tab that was closed meanwhile cannot be moved.
    if (!isFirst && id !== undefined) await chrome.windows.create({ tabId: id, focused: false }).catch(() => undefined);
  }
  for (const { windowId } of await chrome.tabs.query({})) await tell(windowId, 'related');
}

/**
 * Tells the page in a window. Where it has an opener, or has opened a window, the focus is taken from it: a window without a display keeps it
 * otherwise, and the next `focus()` would not be reported. Pages do not notice.
 */
async function tell(windowId: number, message: 'focused' | 'related'): Promise<void> {
  const [tab] = await chrome.tabs.query({ windowId, active: true });
  if (tab?.id === undefined) return;
  // A new window has no page half yet, and a page of the extension never has one.
  const isRelated = await chrome.tabs.sendMessage(tab.id, message, { frameId: 0 }).catch(() => false);
  if (isRelated === true) await chrome.windows.update(windowId, { focused: false }).catch(() => undefined); // it is closed
}
