import type { Frame } from './frame.ts';

const MAIN_FRAME = 1;
/** Schemes of documents that come from a site. Others, such as `about:srcdoc`, are those of the document around them. */
const OF_SITES = /^(?:https?|blob:https?):/;

/** The page of a tab, as both kinds of halves know it. */
interface PageFrames {
  /** Address of the main frame. */
  readonly url: string;
  readonly get: (id: number) => Frame | undefined;
  /** See `Frames.originOf`. */
  readonly originOf: (id: number) => Promise<string>;
}

/**
 * Addresses of a frame for rules and settings of sites, besides that of the page: that of its document, or of the nearest one around it that has
 * one, and its origin as the browser's own process knows it. A renderer may lie about the first one, and a blank document may be of another site
 * than what is around it. The first one is read before anything is awaited. Never rejects.
 */
export async function frameAddresses(page: PageFrames, frame: number): Promise<readonly string[]> {
  const own = documentOf(page, frame);
  const known = [page.url, ...own].map((address) => URL.parse(address)?.origin);
  const origin = await page.originOf(frame).catch(() => 'null');
  return origin === 'null' || known.includes(origin) ? own : [...own, origin];
}

/** None for the page itself, whose address the tab knows better. */
function documentOf({ get }: PageFrames, frame: number): readonly string[] {
  for (let at = get(frame); at && at.id !== MAIN_FRAME; at = get(at.parent)) if (OF_SITES.test(at.url)) return [at.url];
  return [];
}
