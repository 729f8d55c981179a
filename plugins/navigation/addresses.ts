/** Conversion between addresses of pages and addresses of the host. */
import { BLANK_PAGE, OPENED_BY } from '../../core/protocol/shell-address.ts';

/** Schemes that a page may be opened with. */
const WEB = /^https?:$/;
/** Schemes that are never followed, regardless of the person's own applications. */
const UNSAFE = /^(data|blob|javascript|vbscript|file):$/;
/** Query parameters that the service itself adds and that sites must not see (S-096). */
const OWN_PARAMETERS = [OPENED_BY];

/** Location of isolated pages. */
export interface AddressContext {
  /** The id of a multi-page app, when the session is part of one (M-012). */
  readonly mpaId?: string;
  /** Prefixes of addresses that open the person's own applications: `tel:`, `zoommtg://` (S-081). */
  readonly applicationLinks?: readonly string[];
}

/** Returns a link's address, or undefined when it must not be followed: data, blob, javascript and unknown schemes (S-081). */
export function allowedLink(link: string, base: string, context: AddressContext = {}): string | undefined {
  const text = link.trim();
  const url = URL.parse(text, base);
  if (!url) return undefined;
  if (WEB.test(url.protocol)) return url.href;
  if (UNSAFE.test(url.protocol)) return undefined;
  return context.applicationLinks?.some((prefix) => prefix !== '' && text.startsWith(prefix)) ? text : undefined;
}

/** The stricter check: https and data addresses only (S-082). */
export function isStrictAddress(address: string): boolean {
  const url = URL.parse(address.trim());
  return url !== null && /^(https|data):$/.test(url.protocol);
}

/** The host's path for a page: `/https://site/path`, below `/mpa/{id}` in a multi-page app (M-011, M-012). */
export function isolatedPath(address: string, context: AddressContext = {}): string {
  const prefix = context.mpaId === undefined ? '/' : `/mpa/${context.mpaId}/`;
  if (address === '' || address.startsWith('about:')) return prefix + BLANK_PAGE;
  const blob = /^blob:(https?):\/\/(.*)$/s.exec(address);
  return prefix + (blob ? `__blob/${blob[1] ?? ''}/${blob[2] ?? ''}` : withoutOwnParameters(address));
}

/** The page in a path of the host, without the service's own parameters (S-096); undefined when there is none. */
export function pageOfPath(path: string): string | undefined {
  const match = /^\/(?:mpa\/[\w-]{1,100}\/)?(https?):\/{1,2}([^/].*)$/is.exec(path);
  const url = match && URL.parse(`${match[1] ?? ''}://${match[2] ?? ''}`);
  return url ? withoutOwnParameters(url.href) : undefined;
}

/** Removes parameters from the text: a URLSearchParams round trip would change the encoding of the others. */
function withoutOwnParameters(address: string): string {
  if (!OWN_PARAMETERS.some((name) => address.includes(name))) return address;
  const [beforeHash = '', ...hash] = address.split('#');
  const [path = '', ...query] = beforeHash.split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => !OWN_PARAMETERS.includes(part.split('=')[0] ?? ''));
  const search = kept.length > 0 && kept[0] !== '' ? `?${kept.join('&')}` : '';
  return path + search + (hash.length > 0 ? `#${hash.join('#')}` : '');
}
