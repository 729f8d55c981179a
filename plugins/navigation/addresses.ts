/** Addresses that the person may be led to. */
import { pageOfPath, pathOfPage, withoutOwnParameters } from '../../core/protocol/shell-address.ts';

/** Schemes that a page may be opened with. */
const WEB = /^https?:$/;

/** Placeholders in the shell's address for pages that only the service opens. */
const PLACEHOLDER = /^(?:blob:|about:)/;

/**
 * Returns the page that a link of the shell leads to, without the service's own parameters: a path of the host, a relative path, or a web
 * address. Undefined when it must not be followed: data, blob, javascript and all other schemes (S-081, S-096).
 */
function allowedLink(link: string, base: string): string | undefined {
  const text = link.trim();
  const named = pageOfPath(text);
  const url = URL.parse(named ? named.url : text, base);
  return url && WEB.test(url.protocol) ? withoutOwnParameters(url.href) : undefined;
}

/** Like {@link allowedLink}, for an address of the shell: a page that a site has made itself, and the blank one, are opened by their paths, too (M-011). */
export function allowedPage(address: string, base: string): string | undefined {
  const { url = '' } = pageOfPath(address.trim()) ?? {};
  if (!PLACEHOLDER.test(url)) return allowedLink(address, base);
  return url.startsWith('about:') ? 'about:blank' : url;
}

/** Like {@link allowedPage}, for the page of an entry of the shell's history. */
export function pageOfEntry(url: string, base: string): string | undefined {
  return allowedPage(PLACEHOLDER.test(url) ? pathOfPage(url) : url, base);
}
