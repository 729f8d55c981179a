import type { Log } from '../contracts/scope.ts';
import type { Events } from '../contracts/client-scope.ts';

/** The log of one plugin: the console, and for errors a client event too; below warnings only while debugging. */
export function pluginLog(
  plugin: { readonly id: string; readonly version: string; readonly variant: string },
  events: Events,
  debug: boolean,
): Log {
  const tag = `[${plugin.id} ${plugin.version} ${plugin.variant}]`;
  return {
    debug: (message, data) => {
      if (debug) console.debug(tag, message, data ?? '');
    },
    info: (message, data) => {
      if (debug) console.info(tag, message, data ?? '');
    },
    warn: (message, data) => {
      console.warn(tag, message, data ?? '');
    },
    error: (message, data) => {
      console.error(tag, message, data ?? '');
      events.report('tc-plugin-error', { ...data, message }, { level: 'error', force: true });
    },
  };
}
