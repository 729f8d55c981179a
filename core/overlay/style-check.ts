import { poll } from './poller.ts';

/** Delay before the first check of a sheet, interval of later checks, and their number (S-158). */
const CSS_FIRST_CHECK_MS = 500;
const CSS_CHECK_MS = 250;
const CSS_MAX_CHECKS = 20;

/** Polls whether a sheet has loaded, for links that fire no event. Resolves with whether it loaded in time (S-158). */
export function sheetLoaded(link: Pick<HTMLLinkElement, 'sheet'>): Promise<boolean> {
  return poll({
    condition: () => link.sheet !== null,
    firstMs: CSS_FIRST_CHECK_MS,
    intervalMs: CSS_CHECK_MS,
    maxPolls: CSS_MAX_CHECKS,
  });
}
