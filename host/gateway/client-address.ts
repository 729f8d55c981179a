import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one link, and those that name the network of one customer, who may have many links. */
const LINK_BITS = 64;
const NETWORK_BITS = 48;
/** Factor of the shares of an IPv6 network, which has many addresses: see {@link networkShared}. */
const NETWORK_FACTOR = 4;

/**
 * Returns the address that identifies a client where something is shared out: an IPv4 address, or the first 64 bits
 * of an IPv6 address, of which a client has all the others. This machine itself has none, unless people reach the host from others: a
 * proxy that nobody has named by `--trusted-proxy` may run here, and all people would come from this machine.
 *
 * @param ip address of a connection, or the one that a trusted proxy has named
 * @param isExposed whether people reach the host from other machines
 */
export function addressShared(ip: string, isExposed: boolean): string | undefined {
  return prefixOf(ip, LINK_BITS, isExposed);
}

/** The same for the first 48 bits of an IPv6 address: one customer may have 65,536 of the others. */
export function networkShared(ip: string, isExposed = false): string | undefined {
  return prefixOf(ip, NETWORK_BITS, isExposed);
}

/** Keys of the shares that a client takes from, with their factors: its address, and its network if that is larger. */
export function sharesOf(ip: string, address: string): (readonly [key: string, factor: number])[] {
  const network = networkShared(ip);
  const isWider = address.includes(':') && network !== undefined;
  return isWider
    ? [
        [address, 1],
        [`${network}/48`, NETWORK_FACTOR],
      ]
    : [[address, 1]];
}

function prefixOf(ip: string, bits: number, isExposed: boolean): string | undefined {
  if (!ipaddr.isValid(ip)) return 'unknown'; // a proxy may write anything
  const address = ipaddr.process(ip);
  if (address.range() === 'loopback') return isExposed ? 'loopback' : undefined;
  if (address instanceof ipaddr.IPv4) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().split('%')[0]}/${bits}`).toString();
}
