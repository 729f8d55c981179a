import type { ActivateExtension } from '../../../core/extension.ts';

interface Tab {
  readonly id?: number;
  readonly windowId: number;
}
/** The parts of `chrome` that are used here; they need no permission. */
interface Chrome {
  readonly runtime: { readonly onMessage: { addListener(listener: (message: unknown) => void): void } };
  readonly tabs: { query(filter: object): Promise<readonly Tab[]> };
  readonly windows: { create(options: { readonly tabId: number; readonly focused: boolean }): Promise<unknown> };
}

const { chrome } = globalThis as typeof globalThis & { readonly chrome: Chrome };

/**
 * Gives each page a window of its own: behind another tab of its window, a page counts as hidden and falls to 2 frames a second. Whoever
 * asks for it: it does no more.
 */
export const activate: ActivateExtension = () => {
  let moving: Promise<unknown> = Promise.resolve();
  chrome.runtime.onMessage.addListener((message) => {
    if (message === 'separate') moving = moving.then(separate, () => undefined);
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
}
