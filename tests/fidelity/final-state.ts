import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';

const POLL_MS = 50;

/**
 * Waits until the page itself is final: marked `data-ready="1"` where the list says that it signals, else loaded, with
 * its fonts, and without `reftest-wait`; then two frames more. The caller closes the page at its deadline.
 */
export async function waitForFinal(page: Page, signalled: boolean): Promise<void> {
  while (!(await page.evaluate(isFinal, signalled))) await delay(POLL_MS);
  await page.evaluate(twoFrames);
}

/** Whether the page is final; runs in the page. */
export function isFinal(signalled: boolean): boolean {
  const root = document.documentElement;
  if (signalled) return root.getAttribute('data-ready') === '1';
  if (document.readyState !== 'complete' || document.fonts.status !== 'loaded') return false;
  return !/(^|\s)reftest-wait(\s|$)/.test(root.getAttribute('class') ?? '');
}

/** Resolves two frames later; runs in the page. */
export function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/** State of the shell, and whether the mirrored page in it is final. */
interface ViewState {
  readonly state: string;
  readonly final: boolean;
  /** Text of the shell's own messages. */
  readonly message: string;
}

/** Reads the shell once, without waiting. */
export function readView(shell: Page, signalled: boolean): Promise<ViewState> {
  return shell.evaluate(viewState, signalled);
}

/** Runs in the shell; the view has the shell's origin. */
export function viewState(signalled: boolean): ViewState {
  const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
  const root = view?.documentElement;
  const isFinalView = (): boolean => {
    if (!view || !root) return false;
    if (signalled) return root.getAttribute('data-ready') === '1';
    if (/(^|\s)reftest-wait(\s|$)/.test(root.getAttribute('class') ?? '')) return false;
    return (
      view.fonts.status === 'loaded' &&
      Array.from(view.images).every((image) => image.complete || image.loading === 'lazy')
    );
  };
  return {
    state: document.documentElement.dataset.vitrineState ?? 'unset',
    final: isFinalView(),
    message: document.querySelector<HTMLElement>('#vitrine-overlay')?.innerText.trim().slice(0, 200) ?? '',
  };
}
