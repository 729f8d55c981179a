import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one link, and those that name the network of one customer, who may have many links. */
const LINK_BITS = 64;
const NETWORK_BITS = 48;

/**
 * Returns the address that identifies a client where something is shared out: an IPv4 address, or the first 64 bits
 * of an IPv6 address, of which a client has all the others. Undefined for this machine itself.
 *
 * @param ip address of a connection, or the one that a trusted proxy has named
 */
export function addressShared(ip: string): string | undefined {
  return prefixOf(ip, LINK_BITS);
}

/** The same for the first 48 bits of an IPv6 address: one customer may have 65,536 of the others. */
export function networkShared(ip: string): string | undefined {
  return prefixOf(ip, NETWORK_BITS);
}

function prefixOf(ip: string, bits: number): string | undefined {
  if (!ipaddr.isValid(ip)) return 'unknown'; // a proxy may write anything
  const address = ipaddr.process(ip);
  if (address.range() === 'loopback') return undefined;
  if (address instanceof ipaddr.IPv4) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().split('%')[0]}/${bits}`).toString();
}
