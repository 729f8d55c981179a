import type { PairRequest } from '../../../core/protocol/pairing.ts';

/**
 * Who opens the page of a tab. `person`: they have typed its address, chosen it in the portal or among their bookmarks. `link`: a document has
 * led there, of which the surrogate has none: of another site in the person's browser, or a page that has gone. `referrer` is what the
 * page's site learns of it. `host`: it takes the place of a page that was lost, which nobody has asked for.
 */
export type Initiator = { readonly by: 'person' | 'host' } | { readonly by: 'link'; readonly referrer: string };

/** The initiator of addresses that the person gives. */
export const PERSON: Initiator = { by: 'person' };
/** The initiator of a page that the host opens again by itself: its site gets it as before, others do not (`keepToHost`). */
export const AGAIN: Initiator = { by: 'host' };
/** The initiator of an address to which a site has led instead: no document is known by now. */
export const LED: Initiator = { by: 'link', referrer: '' };

/**
 * The initiator of the page that a request asks for, by what the person's browser says of the request for its shell. The address of another
 * isolated page is never disclosed to a site. Browsers without `Sec-Fetch-Site`, and those of services without TLS, name a
 * referrer at best.
 */
export function initiatorOf({ url, referrer = '', doc_headers, host }: PairRequest): Initiator {
  const from = URL.parse(referrer);
  const isOurs = from?.host === host;
  if (isOurs && from.pathname === '/') return PERSON; // the portal
  const { 'sec-fetch-site': site } = (doc_headers ?? {}) as { readonly 'sec-fetch-site'?: unknown }; // compared below
  if (site === 'none' || (site === undefined && referrer === '')) return PERSON;
  // This service has it from the referring site, which may be reached in a safer way than the page is.
  const isDowngrade = from?.protocol === 'https:' && !url.startsWith('https:');
  return { by: 'link', referrer: !from || isOurs || isDowngrade ? '' : from.href };
}
