import type { FastifyBaseLogger } from 'fastify';
import type { Log } from '../../core/contracts/scope.ts';

/** Adapts the host's log for all code but the gateway. */
export function hostLog(log: FastifyBaseLogger): Log {
  return {
    debug: (message, data) => log.debug(data ?? {}, message),
    info: (message, data) => log.info(data ?? {}, message),
    warn: (message, data) => log.warn(data ?? {}, message),
    error: (message, data) => log.error(data ?? {}, message),
  };
}
