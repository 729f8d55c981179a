import { hostName } from './host-name.ts';

/** Maximum length of an address that a tab opens. */
const MAX_ADDRESS = 65_536;
/** Schemes that the main frame may show. `chrome-error:` is Chromium's own page for a failed load. */
const SHOWN = ['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:'];

/** Whether a tab may open an address: http or https of a host that can be reached, or the blank page. */
export function isOpenable(address: string): boolean {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return false;
  const { protocol, href, hostname } = new URL(address);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return (isWeb && hostName(hostname) !== undefined) || href === 'about:blank';
}

/** Whether the main frame may show the address that it has navigated to. */
export function mayBeShown(address: string): boolean {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0].toLowerCase();
  return scheme === undefined ? address === '' : SHOWN.includes(scheme);
}
