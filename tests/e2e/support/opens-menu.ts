import type { FrameLocator, Page } from 'playwright/test';
import { loaded } from './loaded.ts';

/** Opens the context menu of an element; returns whether the browser would show it. */
export async function opensMenu(page: Page, frame: FrameLocator, selector: string): Promise<boolean> {
  await loaded(page, 'context-menu');
  const opened = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
        view?.addEventListener('contextmenu', (event) => resolve(!event.defaultPrevented), { once: true });
      }),
  );
  await frame.locator(selector).click({ button: 'right' });
  return opened;
}
