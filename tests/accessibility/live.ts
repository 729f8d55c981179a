import type { JSHandle, Page } from 'playwright';

/** Change of a live region as assistive technology sees it: whether it is the same element, and its text. */
interface Heard {
  readonly same: boolean;
  readonly text: string;
}

/**
 * Handles of the page's elements in the shell, by id: kept, so that a replacement can be distinguished from a change.
 */
export function holdRegions(shell: Page, ids: readonly string[]): Promise<JSHandle<readonly (Element | undefined)[]>> {
  return shell.evaluateHandle((wanted) => {
    const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
    return wanted.map((id) => view?.getElementById(id) ?? undefined);
  }, ids);
}

/** Reads their present state. */
export function listen(regions: JSHandle<readonly (Element | undefined)[]>): Promise<readonly Heard[]> {
  return regions.evaluate((held) =>
    held.map((element) => ({
      same: element?.isConnected === true && element.ownerDocument.getElementById(element.id) === element,
      text: element?.textContent.trim() ?? '',
    })),
  );
}
