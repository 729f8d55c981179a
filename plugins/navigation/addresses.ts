/** How addresses of pages and addresses of the host stand for each other. */

/** Schemes that a page may be opened with. */
const WEB = /^https?:$/;
/** Never followed, whatever the person's own applications open. */
const UNSAFE = /^(data|blob|javascript|vbscript|file):$/;
/** Query parameters that the service itself adds and that sites must not see (S-096). */
const OWN_PARAMETERS = ['_sv_p_id'];
/** Stands for about:blank in the path (M-011). */
const BLANK_PAGE = '__blank';

/** Where isolated pages live. */
export interface AddressContext {
  /** The id of a multi-page app, when the session is part of one (M-012). */
  readonly mpaId?: string;
  /** Prefixes of addresses that the person's own applications open: `tel:`, `zoommtg://` (S-081). */
  readonly applicationLinks?: readonly string[];
}

/** A link's address as it may be used, or undefined when it must not be followed: data, blob, javascript and unknown schemes (S-081). */
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

/** The page that a path of the host names, with the service's own parameters taken away (S-096); undefined when it is none. */
export function pageOfPath(path: string): string | undefined {
  const match = /^\/(?:mpa\/[\w-]{1,100}\/)?(https?):\/{1,2}([^/].*)$/is.exec(path);
  const url = match && URL.parse(`${match[1] ?? ''}://${match[2] ?? ''}`);
  return url ? withoutOwnParameters(url.href) : undefined;
}

/** Cuts parameters out of the text: a URLSearchParams round trip would change how the others are written. */
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
