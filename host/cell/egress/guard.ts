import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../../core/protocol/errors.ts';
import { classify, isThisMachine, parseHost, unwrap, type Address } from './address.ts';
import type { AllowedNetworks } from './allowed-networks.ts';
import { isBlockedPort } from './blocked-ports.ts';
import { isChromiumService } from './chromium-services.ts';
import { connectChecked } from './connect-checked.ts';
import type { Destination } from './destination.ts';
import type { Resolve, ResolvedAddress } from './resolver.ts';

/** A site rule's verdict; `message` is shown to the person. */
export type Verdict =
  { readonly allow: true } | { readonly allow: false; readonly code?: string; readonly message: string };
export type Decide = (destination: Destination) => Verdict | Promise<Verdict>;

interface GuardOptions {
  readonly allowed: AllowedNetworks;
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  readonly decide: Decide;
  /** Whether a port of this machine belongs to the host itself. */
  isOwnPort(port: number): boolean;
  /** Whether the host's service is there, by its public name. */
  isOwnOrigin(destination: Destination): boolean;
  readonly connectTimeoutMs: number;
}

/** The rules for destinations of a surrogate; all its connections are opened here. */
interface Guard {
  /** @throws AppError with an `EgressCode` when a rule forbids the destination by its name. */
  admit(destination: Destination): Promise<void>;
  /** A connected socket to an address that was checked; the caller destroys it. @throws AppError with an `EgressCode` */
  connect(destination: Destination): Promise<Socket>;
}

/** Creates the rules from `options`. The guard keeps no sockets: the caller destroys those that it gets. */
export function createGuard(options: GuardOptions): Guard {
  const { allowed, allowPrivate, resolve, decide, isOwnPort, isOwnOrigin, connectTimeoutMs } = options;

  const isOwn = (address: Address, port: number): boolean => isThisMachine(address) && isOwnPort(port);
  const mayReach = (address: Address, port: number, isNameAllowed: boolean): boolean => {
    if (isOwn(address, port)) return false;
    const kind = classify(address);
    if (kind === 'public' || isNameAllowed || allowed.allowsAddress(address, port)) return true;
    return kind === 'private' && allowPrivate;
  };

  /** All permitted addresses of the destination; at least one. */
  const addressesOf = async ({ host, port }: Destination): Promise<ResolvedAddress[]> => {
    const parsed = parseHost(host);
    if (!parsed) throw new AppError('bad-request', `${host} is no host.`);
    let found: readonly ResolvedAddress[];
    if (parsed.kind === 'address') {
      found = [{ address: parsed.address.toString(), family: parsed.address.kind() === 'ipv4' ? 4 : 6 }];
    } else {
      found = await resolve(parsed.name).catch((cause: unknown) => {
        throw new AppError('name-not-resolved', `The address of ${host} was not found.`, { retryable: true, cause });
      });
    }
    const isNameAllowed = parsed.kind === 'name' && allowed.allowsName(parsed.name, port);
    const those = (may: (address: Address) => boolean): ResolvedAddress[] =>
      found.filter(({ address }) => ipaddr.isValid(address) && may(unwrap(ipaddr.parse(address))));
    const open = those((address) => mayReach(address, port, isNameAllowed));
    if (open.length > 0) return open;
    if (found.length === 0) throw new AppError('name-not-resolved', `${host} has no address.`, { retryable: true });
    if (those((address) => isOwn(address, port)).length > 0) throw ownService(host);
    throw new AppError('blocked-address', `${host} leads to an address that may not be reached from here.`);
  };

  return {
    async admit(destination) {
      if (isBlockedPort(destination.port))
        throw new AppError('blocked-port', `Browsers do not connect to port ${destination.port}.`);
      if (isChromiumService(destination.host))
        throw new AppError('blocked-service', 'The browser keeps its own services off.');
      if (isOwnOrigin(destination)) throw ownService(destination.host);
      let verdict: Verdict;
      try {
        verdict = await decide(destination);
      } catch (cause) {
        throw new AppError('blocked-site', 'The rules for this site cannot be read now.', { cause });
      }
      if (!verdict.allow) throw new AppError(verdict.code ?? 'blocked-site', verdict.message);
    },

    async connect(destination) {
      return connectChecked(destination, await addressesOf(destination), connectTimeoutMs);
    },
  };
}

/** A page that opened the service in the service would have a surrogate for each level. */
function ownService(host: string): AppError {
  return new AppError('own-service', `${host} is the address of the service that isolates pages.`);
}
