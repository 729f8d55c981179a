import { isIP } from 'node:net';

/** Time for which browsers use https alone for the host, in seconds. */
const MAX_AGE_S = 365 * 24 * 3600;

/** Returns the header by which browsers keep to https; none for names of this machine, which other servers share. */
export function strictTransport(host: string): Readonly<Record<string, string>> {
  const name = URL.parse(`https://${host}`)?.hostname ?? '';
  const isOwnName = name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  return isOwnName ? {} : { 'strict-transport-security': `max-age=${MAX_AGE_S}` };
}
