import { poll } from './poller.ts';

/** When a sheet is first looked at, how often then, and how many times (S-158). */
export const CSS_FIRST_CHECK_MS = 500;
export const CSS_CHECK_MS = 250;
export const CSS_MAX_CHECKS = 20;

/** Looks whether a sheet has come, for links that tell nothing; resolves with whether it came in time (S-158). */
export function sheetLoaded(link: Pick<HTMLLinkElement, 'sheet'>): Promise<boolean> {
  return poll({
    condition: () => link.sheet !== null,
    firstMs: CSS_FIRST_CHECK_MS,
    intervalMs: CSS_CHECK_MS,
    maxPolls: CSS_MAX_CHECKS,
  });
}
