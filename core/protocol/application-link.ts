/** Links that open applications of the person's own: `tel:`, `msteams:` (S-081, R-070). */

/** Longest such address, in UTF-16 units. */
const MAX_UNITS = 4096;
/**
 * Schemes that are never handed to the person's browser, whatever a list says: what runs, what shows a page outside of the isolation, and
 * what names such a page in turn (`intent:`).
 */
const NEVER =
  /^(?:javascript|vbscript|data|blob|file|filesystem|https?|wss?|ftp|about|view-source|chrome(?:-\w+)?|edge|moz-extension|resource|jar|intent|android-app):/;

/**
 * Returns a link's address as it may be opened with an application of the person's: one that begins with a prefix of the list.
 * Undefined for all others. `allowed`: schemes (`msteams`), or longer beginnings of addresses (`zoommtg://zoom.us/`).
 */
export function applicationLink(link: string, allowed: readonly string[]): string | undefined {
  if (allowed.length === 0 || link.length > MAX_UNITS) return undefined;
  const href = URL.parse(link.trim())?.href;
  if (href === undefined || href.length > MAX_UNITS || NEVER.test(href)) return undefined;
  return allowed.some((each) => href.startsWith(each.includes(':') ? each : `${each}:`)) ? href : undefined;
}

/** The list of application links in the capabilities of a client: that of the policy, once its type is checked. */
export function applicationLinks(capabilities: Readonly<Record<string, unknown>>): readonly string[] {
  const { applicationLinks: list } = capabilities;
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string' && each !== '') : [];
}
