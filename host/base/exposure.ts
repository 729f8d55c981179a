import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../core/protocol/errors.ts';

/** Options that decide from where a host is reached. */
interface Listening {
  readonly host: string;
  readonly origins: readonly string[];
  readonly inspectOrigin?: string | undefined;
  readonly clusterOrigin?: string | undefined;
}

/** Whether a host is reached from other machines: by the address that it listens on, or by an origin at a proxy before it. */
export function isExposed({ host, origins, inspectOrigin, clusterOrigin }: Listening): boolean {
  const names = [...origins, inspectOrigin, clusterOrigin].flatMap((origin) =>
    origin === undefined ? [] : new URL(origin).hostname,
  );
  return [host, ...names].some((name) => !isLoopback(name));
}

/** Whether a name or an address is of this machine alone. */
function isLoopback(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

/** Name by which people reach a host: its first origin, or the address that it listens on. For one of all addresses, `localhost`. */
export function ownOrigin(
  { host, origins }: Pick<Listening, 'host' | 'origins'>,
  scheme: string,
  port: number,
): string {
  const [origin] = origins;
  if (origin !== undefined && isExposed({ host: 'localhost', origins })) return origin;
  const name = isWildcard(host) ? outerAddress() : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** An address of this machine in its network; `localhost` when it has none. */
function outerAddress(): string {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outer = own.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? 'localhost';
}

/** An address and a port to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `ADDRESS:PORT`, with brackets around an IPv6 address. @throws AppError `bad-option` */
export function parseListenAddress(text: string): ListenAddress {
  const [, v6, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = v6 ?? plain;
  const port = Number(digits);
  const isRight = host !== undefined && port <= 65_535 && (v6 === undefined || ipaddr.IPv6.isValid(v6));
  if (!isRight) throw new AppError('bad-option', `${JSON.stringify(text)} is no ADDRESS:PORT`);
  return { host, port };
}

/** Reads the address of a proxy: an IP address, or a network as CIDR. @throws AppError `bad-option` */
export function parseProxy(text: string): string {
  if (!ipaddr.isValid(text) && !ipaddr.isValidCIDR(text))
    throw new AppError('bad-option', `${JSON.stringify(text)} is no address or CIDR of a proxy`);
  return text;
}
