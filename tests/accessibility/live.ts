import type { JSHandle, Page } from 'playwright';

/** What assistive technology notices of a live region that changes: that it is the same element still, and what it says. */
interface Heard {
  readonly same: boolean;
  readonly text: string;
}

/** Elements of the page that the shell shows, by id: held on to, so that a replacement can be told from a change. */
export function holdRegions(shell: Page, ids: readonly string[]): Promise<JSHandle<readonly (Element | undefined)[]>> {
  return shell.evaluateHandle((wanted) => {
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
    return wanted.map((id) => view?.getElementById(id) ?? undefined);
  }, ids);
}

/** How they are now. */
export function listen(regions: JSHandle<readonly (Element | undefined)[]>): Promise<readonly Heard[]> {
  return regions.evaluate((held) =>
    held.map((element) => ({
      same: element?.isConnected === true && element.ownerDocument.getElementById(element.id) === element,
      text: element?.textContent.trim() ?? '',
    })),
  );
}
