/** Path of the shell for the router: all addresses of pages lead there. */
export const SHELL_PATH = '/vitrine-page';

/**
 * Parses text typed into the address bar: a missing scheme is added (https, or http for the local names where
 * certificates are rare). Undefined when it cannot be a web address.
 */
export function typedAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (/\s/.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'http' && scheme !== 'https') return undefined;
  const url = URL.parse(scheme ? text : `${isLocalName(text) ? 'http' : 'https'}://${text}`);
  return url && url.hostname ? url.href : undefined;
}

function isLocalName(text: string): boolean {
  return /^(localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?([/?#]|$)/i.test(text);
}
