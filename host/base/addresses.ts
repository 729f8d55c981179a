import { hostName } from './host-name.ts';

/** Maximum length of an address that a tab opens. */
const MAX_ADDRESS = 65_536;
/** Schemes that the main frame may show. `chrome-error:` is Chromium's own page for a failed load. */
const SHOWN = ['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:'];

/** The address of a page without one. */
export const BLANK = 'about:blank';

/**
 * Whether a tab may open an address: http or https of a host that can be reached, a page that such a site, or one without an origin, has made itself
 * (`blob:https://site/id`, `blob:null/id`), or the blank page.
 */
export function isOpenable(address: string): boolean {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return false;
  const { protocol, href, hostname } = new URL(withoutBlob(address));
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return (isWeb && hostName(hostname) !== undefined) || href === BLANK || href.startsWith('blob:null/');
}

/** The address of the site that has made a page itself, followed by the page's name; other addresses stay. */
export function withoutBlob(address: string): string {
  return address.replace(/^blob:(?=https?:\/\/)/i, '');
}

/** The address without the name and password of a person that it may have: browsers show and keep neither. */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/** Whether an address is that of a page without one, whatever its query and fragment. */
export function isBlank(address: string): boolean {
  return /^about:blank(?:[?#]|$)/.test(address);
}

/** Whether the main frame may show the address that it has navigated to. */
export function mayBeShown(address: string): boolean {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0].toLowerCase();
  return scheme === undefined ? address === '' : SHOWN.includes(scheme);
}
