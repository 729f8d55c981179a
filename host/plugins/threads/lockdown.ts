import { isBuiltin, registerHooks } from 'node:module';
import { format } from 'node:util';
import type { Log } from '../../../core/contracts/scope.ts';
import { AppError } from '../../../core/protocol/errors.ts';

/** Modules of Node that touch nothing outside of the thread. */
const FREE =
  'assert assert/strict buffer crypto events path path/posix punycode querystring stream string_decoder timers timers/promises url util'.split(
    ' ',
  );
/** Modules that reach the thread's own foundations, which no manifest can ask for. */
export const NEVER: readonly string[] = [
  'worker_threads',
  'module',
  'process',
  'inspector',
  'inspector/promises',
  'cluster',
  'repl',
  'v8',
  'vm',
  'wasi',
];
/** Globals that reach the network of the host, or its other threads. */
const NETWORK = ['fetch', 'WebSocket', 'EventSource'];

/**
 * From now on modules of this thread get of Node what is harmless and what is in `permitted`, and its console is the log. This keeps to
 * its manifest what was written in good faith; it is no wall against code that means harm, which an operator must not serve at all.
 */
export function lockDown(permitted: readonly string[], log: Log): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const name = specifier.replace(/^node:/, '');
      if (isBuiltin(specifier) && !FREE.includes(name) && (NEVER.includes(name) || !permitted.includes(name)))
        throw new AppError('not-permitted', `the manifest does not permit node:${name}: add it to permissions.node`);
      return next(specifier, context);
    },
  });
  for (const name of permitted.includes('fetch') ? [] : NETWORK) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  const { platform, version, versions, arch, nextTick, hrtime, emitWarning } = process;
  replace(
    'process',
    Object.freeze({ env: {}, argv: [], platform, version, versions, arch, nextTick, hrtime, emitWarning }),
  );
  const at =
    (level: keyof Log) =>
    (...given: unknown[]): void =>
      log[level](format(...given));
  replace('console', {
    ...console,
    debug: at('debug'),
    log: at('info'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  });
}

function replace(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
}
