import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { hostName } from '../../base/host-name.ts';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Host part of an authority: a name to resolve, or an address. */
type HostPart =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'address'; readonly address: Address };

/**
 * - `public`: of the internet.
 * - `private`: of this machine and the networks around it.
 * - `reserved`: unassigned, or a cloud's metadata service, whose answers contain credentials. Only an explicit entry
 *   permits it.
 */
type AddressClass = 'public' | 'private' | 'reserved';

const METADATA = ['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'];
const PRIVATE_RANGES = ['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal', 'deprecatedSiteLocal'];
const PUBLIC_IPV4_RANGES = ['unicast', 'as112', 'amt'];
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Parses a host as a browser does: `0x7f.1`, `2130706433` and `0177.0.0.1` are 127.0.0.1, names become lower-case ASCII
 * without a final dot. Undefined when it is none, or has empty labels.
 */
export function parseHost(host: string): HostPart | undefined {
  if (/[/?#@\\\s]/.test(host)) return undefined;
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  let name: string;
  try {
    name = new URL(`http://${bracketed}/`).hostname;
  } catch {
    return undefined;
  }
  if (name.startsWith('[')) return { kind: 'address', address: unwrap(ipaddr.parse(name.slice(1, -1))) };
  if (ipaddr.IPv4.isValidFourPartDecimal(name)) return { kind: 'address', address: ipaddr.IPv4.parse(name) };
  const bare = hostName(name);
  return bare === undefined ? undefined : { kind: 'name', name: bare };
}

/** Canonical text of a host, used for rules and as a key. */
export function hostText(host: string): string | undefined {
  const parsed = parseHost(host);
  return parsed?.kind === 'address' ? parsed.address.toString() : parsed?.name;
}

/** The address that the machine will reach: the IPv4 one inside ::ffff:0:0/96 and NAT64's 64:ff9b::/96. */
export function unwrap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  const range = address.range();
  if (range !== 'ipv4Mapped' && !address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** Classifies an unwrapped address. */
export function classify(address: Address): AddressClass {
  if (METADATA.includes(address.toNormalizedString()) || METADATA.includes(address.toString())) return 'reserved';
  const range: string = address.range();
  if (PRIVATE_RANGES.includes(range) || isOwnInterface(address)) return 'private';
  if (address instanceof ipaddr.IPv4) return PUBLIC_IPV4_RANGES.includes(range) ? 'public' : 'reserved';
  return range === 'unicast' && address.match(GLOBAL_UNICAST) ? 'public' : 'reserved';
}

/** Whether a connection to this address ends on this machine. */
export function isThisMachine(address: Address): boolean {
  const range = address.range();
  return range === 'loopback' || range === 'unspecified' || isOwnInterface(address);
}

function isOwnInterface(address: Address): boolean {
  const text = address.toString();
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => ipaddr.isValid(entry.address) && ipaddr.parse(entry.address).toString() === text),
  );
}
