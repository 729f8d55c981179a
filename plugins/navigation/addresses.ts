/** Addresses that the person may be led to. */
import { pageOfPath, withoutOwnParameters } from '../../core/protocol/shell-address.ts';

/** Schemes that a page may be opened with. */
const WEB = /^https?:$/;

/**
 * Returns the page that a link of the shell leads to, without the service's own parameters: a path of the host, a relative path, or a web
 * address. Undefined when it must not be followed: data, blob, javascript and all other schemes (S-081, S-096).
 */
export function allowedLink(link: string, base: string): string | undefined {
  const text = link.trim();
  const named = pageOfPath(text);
  const url = URL.parse(named ? named.url : text, base);
  return url && WEB.test(url.protocol) ? withoutOwnParameters(url.href) : undefined;
}
