import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../../core/protocol/errors.ts';
import { classify, isThisMachine, parseHost, unwrap, type Address } from './address.ts';
import type { AllowedNetworks } from './allowed-networks.ts';
import { isChromiumService } from './chromium-services.ts';
import type { EgressCode } from './reasons.ts';
import type { Resolve, ResolvedAddress } from './resolver.ts';

/** Where a request wants to go. */
export interface Destination {
  /** Lower-case name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Known for plain http only: tunnels are opaque. */
  readonly url?: string;
}

/** A site rule's verdict; `message` is shown to the person. */
export type Verdict =
  { readonly allow: true } | { readonly allow: false; readonly code?: string; readonly message: string };
export type Decide = (destination: Destination) => Verdict | Promise<Verdict>;

interface GuardOptions {
  readonly allowed: AllowedNetworks;
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  readonly decide: Decide;
  /** Whether this machine's port belongs to the host itself. */
  isOwnPort(port: number): boolean;
  readonly connectTimeoutMs: number;
}

/** The rules of where a surrogate may go, and the only place that opens its connections. */
interface Guard {
  /** @throws AppError with an {@link EgressCode} when a rule forbids the destination by its name. */
  admit(destination: Destination): Promise<void>;
  /** A connected socket to an address that was checked; the caller destroys it. @throws AppError with an {@link EgressCode} */
  connect(destination: Destination): Promise<net.Socket>;
}

const ERRNO_CODES: Readonly<Record<string, EgressCode>> = {
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'address-unreachable',
  ENETUNREACH: 'address-unreachable',
  EADDRNOTAVAIL: 'address-unreachable',
  EACCES: 'address-unreachable',
  EPERM: 'address-unreachable',
};

/** The egress code of what Node reports of a socket; of several attempts the first counts. */
export function codeOf(error: unknown): EgressCode {
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : error; // Node declares them as any
  const errno = first instanceof Error && 'code' in first ? String(first.code) : '';
  if (errno.startsWith('HPE_')) return 'bad-response'; // llhttp could not parse it
  return ERRNO_CODES[errno] ?? 'connection-failed';
}

/** The rules that `options` make. The guard holds nothing: whoever takes a socket from it destroys the socket. */
export function createGuard(options: GuardOptions): Guard {
  const { allowed, allowPrivate, resolve, decide, isOwnPort, connectTimeoutMs } = options;

  const mayReach = (address: Address, port: number, isNameAllowed: boolean): boolean => {
    if (isThisMachine(address) && isOwnPort(port)) return false;
    const kind = classify(address);
    if (kind === 'public' || isNameAllowed || allowed.allowsAddress(address, port)) return true;
    return kind === 'private' && allowPrivate;
  };

  /** All addresses of the destination that may be connected to; at least one. */
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
    const open = found.filter(
      ({ address }) => ipaddr.isValid(address) && mayReach(unwrap(ipaddr.parse(address)), port, isNameAllowed),
    );
    if (open.length > 0) return open;
    if (found.length === 0) throw new AppError('name-not-resolved', `${host} has no address.`, { retryable: true });
    throw new AppError('blocked-address', `${host} leads to an address that may not be reached from here.`);
  };

  return {
    async admit(destination) {
      if (isChromiumService(destination.host))
        throw new AppError('blocked-service', 'The browser keeps its own services off.');
      let verdict: Verdict;
      try {
        verdict = await decide(destination);
      } catch (cause) {
        throw new AppError('blocked-site', 'The rules for this site cannot be read now.', { cause });
      }
      if (!verdict.allow) throw new AppError(verdict.code ?? 'blocked-site', verdict.message);
    },

    async connect(destination) {
      const addresses = await addressesOf(destination);
      const signal = AbortSignal.timeout(connectTimeoutMs);
      const socket = net.connect({
        // The name is not resolved again: what was checked is what is connected to.
        host: 'checked.invalid',
        lookup: (_host, _options, done) => done(null, addresses), // net keeps them as they are
        port: destination.port,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: 1000,
        allowHalfOpen: true,
        noDelay: true,
        keepAlive: true,
      });
      return new Promise((resolveSocket, reject) => {
        const fail = (cause?: unknown): void => {
          settle();
          socket.destroy();
          const code = signal.aborted ? 'timeout' : codeOf(cause);
          reject(new AppError(code, `${destination.host} cannot be reached.`, { retryable: true, cause }));
        };
        const connected = (): void => {
          settle();
          resolveSocket(socket);
        };
        const timedOut = (): void => fail(signal.reason);
        const settle = (): void => {
          socket.off('error', fail).off('connect', connected);
          // Errors that come before the new owner listens are reported to it by 'close'.
          socket.on('error', () => {});
          signal.removeEventListener('abort', timedOut);
        };
        socket.once('error', fail).once('connect', connected);
        signal.addEventListener('abort', timedOut);
      });
    },
  };
}
