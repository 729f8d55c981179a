import type { Page } from 'playwright/test';

/** Notices of the shell in the order of their appearance, from now on. */
export async function watchAlerts(page: Page): Promise<() => Promise<readonly string[]>> {
  const alerts = await page.evaluateHandle(() => {
    const found: string[] = [];
    const seen = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const alert of document.querySelectorAll('#vitrine-overlay [role=alert]')) {
        if (seen.has(alert)) continue;
        seen.add(alert);
        found.push(alert.textContent);
      }
    }).observe(document.body, { childList: true, subtree: true });
    return found;
  });
  return () => alerts.jsonValue();
}

/** Time for which the notice stands that comes with the next request for a context menu, in ms from its appearance on. Call it before the request. */
export function alertTime(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentWindow;
        const watch = (): void => {
          let since: number | undefined;
          const changes = new MutationObserver(() => {
            const isThere = document.querySelector('#vitrine-overlay [role=alert]') !== null;
            if (isThere) since ??= performance.now();
            else if (since !== undefined) {
              changes.disconnect();
              resolve(performance.now() - since);
            }
          });
          changes.observe(document.body, { childList: true, subtree: true });
        };
        view?.addEventListener('contextmenu', watch, { once: true, capture: true });
      }),
  );
}
