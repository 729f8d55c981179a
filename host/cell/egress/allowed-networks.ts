import ipaddr from 'ipaddr.js';
import { AppError } from '../../../core/protocol/errors.ts';
import { parseHost, unwrap, type Address } from './address.ts';

/** Destinations beyond public addresses that `--allow-network` permits. */
export interface AllowedNetworks {
  /** Whether a name was allowed, whatever it resolves to. */
  allowsName(name: string, port: number): boolean;
  /** Whether an unwrapped address was allowed. */
  allowsAddress(address: Address, port: number): boolean;
}

interface Range {
  readonly network: Address;
  readonly bits: number;
  readonly port: number | undefined;
}

interface Name {
  readonly name: string;
  readonly port: number | undefined;
}

/** @throws AppError `network-invalid` for an entry that is neither HOST, HOST:PORT (`[::1]:80` for IPv6) nor CIDR. */
export function parseAllowedNetworks(entries: readonly string[]): AllowedNetworks {
  const names: Name[] = [];
  const ranges: Range[] = [];
  for (const entry of entries) {
    const parsed = parseEntry(entry);
    if (!parsed)
      throw new AppError('network-invalid', `"${entry}" is not HOST, HOST:PORT or CIDR.`, { data: { entry } });
    if ('name' in parsed) names.push(parsed);
    else ranges.push(parsed);
  }
  const isPort = (allowed: number | undefined, port: number): boolean => allowed === undefined || allowed === port;
  return {
    allowsName: (name, port) => names.some((entry) => entry.name === name && isPort(entry.port, port)),
    allowsAddress: (address, port) =>
      ranges.some(
        (entry) =>
          entry.network.kind() === address.kind() &&
          address.match(entry.network, entry.bits) &&
          isPort(entry.port, port),
      ),
  };
}

function parseEntry(entry: string): Name | Range | undefined {
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) return undefined;
    const [network, bits] = ipaddr.parseCIDR(entry);
    const inner = unwrap(network);
    // A prefix within ::ffff:0:0/96 stands for the IPv4 addresses in it.
    return { network: inner, bits: inner === network ? bits : Math.max(0, bits - 96), port: undefined };
  }
  const bareIpv6 = ipaddr.IPv6.isValid(entry);
  const [, host = entry, digits] = (bareIpv6 ? undefined : /^(.*?):(\d{1,5})$/.exec(entry)) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65535)) return undefined;
  const parsed = parseHost(host);
  if (!parsed) return undefined;
  if (parsed.kind === 'name') return { name: parsed.name, port };
  return { network: parsed.address, bits: parsed.address.kind() === 'ipv4' ? 32 : 128, port };
}
