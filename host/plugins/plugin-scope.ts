import type { Hooks, Log } from '../../core/contracts/scope.ts';
import type { Disposal } from '../../core/plugins/disposal.ts';

/** Hooks as one plugin taps them. */
export function hooksOf(plugin: string, disposal: Disposal): Hooks {
  return {
    tap: (hook, tap, options) => disposal.once(hook.tap(plugin, tap, options)),
  };
}

/** A log whose lines all carry `fields`. */
export function logWith(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (message, data) => log.debug(message, { ...data, ...fields }),
    info: (message, data) => log.info(message, { ...data, ...fields }),
    warn: (message, data) => log.warn(message, { ...data, ...fields }),
    error: (message, data) => log.error(message, { ...data, ...fields }),
  };
}
