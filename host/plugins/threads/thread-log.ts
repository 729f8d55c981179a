import type { Log } from '../../../core/contracts/scope.ts';
import type { ThreadWire } from './thread-wire.ts';

/** A log that is written by the host. */
export function threadLog(wire: ThreadWire): Log {
  const at =
    (level: keyof Log) =>
    (message: string, data?: Record<string, unknown>): void =>
      wire.send(['log', level, message, data]);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
