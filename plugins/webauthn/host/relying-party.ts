const MIN_LABELS = 2;

/**
 * Whether an origin may act for a relying party: its own host, or a parent domain of it. Chromium has checked its public suffix list
 * before, and the person's browser checks again; here only impossible values are rejected.
 */
export function mayClaim(origin: string, rpId: string): boolean {
  const url = URL.parse(origin);
  if (!url || url.origin !== origin || !isHostName(url.hostname)) return false;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url.hostname))) return false;
  if (rpId === url.hostname) return true;
  return isHostName(rpId) && rpId.split('.').length >= MIN_LABELS && url.hostname.endsWith(`.${rpId}`);
}

/** Whether a name is lower case and not an IP address: those end with a number, or have brackets. */
function isHostName(name: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name);
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
