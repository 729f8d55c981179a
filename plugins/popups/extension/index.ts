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
  readonly runtime: {
    readonly onMessage: Event<[message: unknown]>;
    getContexts(filter: { readonly contextTypes: readonly string[] }): Promise<readonly Tab[]>;
  };
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
    if (windowId > 0) void focused(windowId);
  });
};

async function separate(): Promise<void> {
  const own = await ownWindows();
  const seen = new Set<number>();
  for (const { id, windowId } of await chrome.tabs.query({})) {
    const isFirst = !seen.has(windowId);
    seen.add(windowId);
    // A tab that was closed meanwhile cannot be moved.
    if (!isFirst && id !== undefined) await chrome.windows.create({ tabId: id, focused: false }).catch(() => undefined);
  }
  for (const windowId of seen) if (!own.has(windowId)) await blur(windowId);
}

/** A window without a display has the focus until it is taken away: only then the next `focus()` is reported. Pages do not notice. */
async function blur(windowId: number): Promise<void> {
  await chrome.windows.update(windowId, { focused: false }).catch(() => undefined); // it is closed
}

async function focused(windowId: number): Promise<void> {
  if ((await ownWindows()).has(windowId)) return; // it needs its focus
  const [tab] = await chrome.tabs.query({ windowId, active: true });
  await blur(windowId);
  // There may be no page half yet: the window is new.
  if (tab?.id !== undefined) await chrome.tabs.sendMessage(tab.id, 'focused', { frameId: 0 }).catch(() => undefined);
}

/** Windows of the extension's own pages. */
async function ownWindows(): Promise<ReadonlySet<number>> {
  const pages = await chrome.runtime.getContexts({ contextTypes: ['TAB'] });
  return new Set(pages.map(({ windowId }) => windowId));
}
