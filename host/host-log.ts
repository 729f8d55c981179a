import type { FastifyBaseLogger } from 'fastify';
import type { Log } from '../core/contracts/scope.ts';

/** The host's log in the form that everything but the gateway uses. */
export function hostLog(log: FastifyBaseLogger): Log {
  return {
    debug: (message, data) => log.debug(data ?? {}, message),
    info: (message, data) => log.info(data ?? {}, message),
    warn: (message, data) => log.warn(data ?? {}, message),
    error: (message, data) => log.error(data ?? {}, message),
  };
}
