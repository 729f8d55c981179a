import { AsyncParallelHook, AsyncSeriesBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import { AppError, toAppError } from '../protocol/errors.ts';
import { compileLoop } from './compile.ts';
import type { Run } from './compile.ts';

/** Named stages, in the order in which taps of one hook run. */
export const STAGES = { first: -100, early: -10, normal: 0, late: 10, last: 100 } as const;
export type Stage = keyof typeof STAGES;

/** How a tap is placed. */
export interface TapOptions {
  /** `normal` unless given. */
  readonly stage?: Stage;
  /** Names of plugins whose taps this one goes before. */
  readonly before?: readonly string[];
}

/** Told of every fault of a tap: which hook, which plugin. */
export type HookFault = (fault: AppError, hook: string, plugin: string) => void;

type Tap<A, R> = (argument: A) => R | undefined | Promise<R | undefined>;

/** What plugins see of a hook. */
export interface Hook<A, R> {
  readonly name: string;
  readonly kind: 'notify' | 'notify-async' | 'transform' | 'gate';
  /** Registers a tap under a plugin's name; answers with its undo. */
  tap(plugin: string, tap: Tap<A, R>, options?: TapOptions): () => void;
}

/** A moment of the core that taps are told of, in order; a tap that throws is reported and the others still run. */
export interface NotifyHook<A> extends Hook<A, void> {
  readonly kind: 'notify';
  call(argument: A): void;
}
/** Like {@link NotifyHook}, awaited: all taps run side by side. */
export interface NotifyAsyncHook<A> extends Hook<A, void> {
  readonly kind: 'notify-async';
  call(argument: A): Promise<void>;
}
/** A value that taps may replace, one after the other; a tap that throws is skipped and reported. */
export interface TransformHook<A> extends Hook<A, A> {
  readonly kind: 'transform';
  call(argument: A): A;
}
/** The verdict of a gate: allowed, or denied with a code and a text for the person. */
export type Verdict =
  { readonly allow: true } | { readonly allow: false; readonly code: string; readonly message: string };
/** A question that the first tap with an opinion answers; a tap that throws denies. */
export interface GateHook<A> extends Hook<A, Verdict> {
  readonly kind: 'gate';
  /** Resolves with the first verdict, or allows when no tap has one. */
  call(argument: A): Promise<Verdict>;
}

interface TapableHook {
  taps: { fn: unknown }[];
  compile: unknown;
  _resetCompilation(): void;
}

/** Registers a guarded tap with tapable, which keeps order and stages; the undo takes it out again. */
function register(
  hook: TapableHook,
  plugin: string,
  fn: (...args: never[]) => unknown,
  async: boolean,
  options: TapOptions,
): () => void {
  const place = {
    name: plugin,
    stage: STAGES[options.stage ?? 'normal'],
    ...(options.before ? { before: [...options.before] } : {}),
  };
  const target = hook as unknown as Record<'tap' | 'tapPromise', (place: object, fn: unknown) => void>; // both exist on async hooks
  if (async) target.tapPromise(place, fn);
  else target.tap(place, fn);
  return () => {
    hook.taps = hook.taps.filter((tap) => tap.fn !== fn);
    hook._resetCompilation();
  };
}

function prepared<H>(hook: H, run: Run): H & TapableHook {
  const tapable = hook as H & TapableHook; // tapable's classes have these fields, its types hide them
  tapable.compile = compileLoop(run);
  return tapable;
}

/** Declares a notify hook (tapable's SyncHook). */
export function notifyHook<A>(name: string, onFault: HookFault): NotifyHook<A> {
  const hook = prepared(new SyncHook<[A]>(['argument'], name), 'each');
  return {
    name,
    kind: 'notify',
    tap: (plugin, tap, options = {}) =>
      register(
        hook,
        plugin,
        (argument: A) => {
          try {
            const outcome: unknown = tap(argument);
            if (outcome instanceof Promise)
              outcome.catch((thrown: unknown) => onFault(toAppError(thrown), name, plugin));
          } catch (thrown) {
            onFault(toAppError(thrown), name, plugin);
          }
        },
        false,
        options,
      ),
    call: (argument) => hook.call(argument),
  };
}

/** Declares an awaited notify hook (tapable's AsyncParallelHook). */
export function notifyAsyncHook<A>(name: string, onFault: HookFault): NotifyAsyncHook<A> {
  const hook = prepared(new AsyncParallelHook<[A]>(['argument'], name), 'parallel');
  return {
    name,
    kind: 'notify-async',
    tap: (plugin, tap, options = {}) =>
      register(
        hook,
        plugin,
        async (argument: A) => {
          try {
            await tap(argument);
          } catch (thrown) {
            onFault(toAppError(thrown), name, plugin);
          }
        },
        true,
        options,
      ),
    call: (argument) => hook.promise(argument), // resolves with nothing
  };
}

/** Declares a transform hook (tapable's SyncWaterfallHook). */
export function transformHook<A>(name: string, onFault: HookFault): TransformHook<A> {
  const hook = prepared(new SyncWaterfallHook<[A]>(['argument'], name), 'waterfall');
  return {
    name,
    kind: 'transform',
    tap: (plugin, tap, options = {}) =>
      register(
        hook,
        plugin,
        (argument: A) => {
          try {
            const outcome = tap(argument);
            if (outcome instanceof Promise) throw new AppError('hook-result', `${name}: a transform answers at once`);
            return outcome;
          } catch (thrown) {
            onFault(toAppError(thrown), name, plugin);
            return undefined;
          }
        },
        false,
        options,
      ),
    call: (argument) => hook.call(argument),
  };
}

/** Declares a gate hook (tapable's AsyncSeriesBailHook). */
export function gateHook<A>(name: string, onFault: HookFault): GateHook<A> {
  const hook = prepared(new AsyncSeriesBailHook<[A], Verdict>(['argument'], name), 'bail');
  const ask = hook.promise.bind(hook) as (argument: A) => Promise<Verdict | undefined>; // undefined: no tap has spoken
  return {
    name,
    kind: 'gate',
    tap: (plugin, tap, options = {}) =>
      register(
        hook,
        plugin,
        async (argument: A): Promise<Verdict | undefined> => {
          try {
            return await tap(argument);
          } catch (thrown) {
            const fault = toAppError(thrown);
            onFault(fault, name, plugin);
            return { allow: false, code: fault.code, message: fault.message };
          }
        },
        true,
        options,
      ),
    call: async (argument) => (await ask(argument)) ?? { allow: true },
  };
}
