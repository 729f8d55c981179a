import net from 'node:net';
import { AppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { Destination } from './destination.ts';
import type { EgressCode } from './reasons.ts';
import type { ResolvedAddress } from './resolver.ts';

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

/** Egress code for an error of a Node socket; of several attempts the first counts. */
export function codeOf(error: unknown): EgressCode {
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : error; // Node declares them as any
  const errno = first instanceof Error && 'code' in first ? String(first.code) : '';
  if (errno.startsWith('HPE_')) return 'bad-response'; // llhttp could not parse it
  return ERRNO_CODES[errno] ?? 'connection-failed';
}

/**
 * Connects a socket to one of the addresses of a destination, which the caller has checked; the caller destroys it.
 *
 * @throws AppError with an {@link EgressCode}
 */
export function connectChecked(
  destination: Destination,
  addresses: readonly ResolvedAddress[],
  timeoutMs: number,
): Promise<net.Socket> {
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = net.connect({
    // The name is not resolved again: the checked addresses are used.
    host: 'checked.invalid',
    lookup: (_host, _options, done) => done(null, [...addresses]), // net keeps them as they are
    port: destination.port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
  });
  return new Promise((resolve, reject) => {
    let unlisten = (): void => undefined;
    const fail = (cause?: unknown): void => {
      settle();
      socket.destroy();
      const code = signal.aborted ? 'timeout' : codeOf(cause);
      reject(new AppError(code, `${destination.host} cannot be reached.`, { retryable: true, cause }));
    };
    const connected = (): void => {
      settle();
      resolve(socket);
    };
    const timedOut = (): void => fail(signal.reason);
    const settle = (): void => {
      socket.off('error', fail).off('connect', connected);
      // Errors before the new owner listens are reported to it by 'close'.
      socket.on('error', () => {});
      unlisten();
    };
    socket.once('error', fail).once('connect', connected);
    unlisten = onAbort(signal, timedOut);
  });
}
