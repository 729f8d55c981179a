import { SyncHook } from 'tapable';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import { compileLoop } from './compile.ts';

/** Named stages, in the order in which taps of one hook run. */
const STAGES = { first: -100, early: -10, normal: 0, late: 10, last: 100 } as const;
type Stage = keyof typeof STAGES;

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
  readonly kind: 'notify';
  /** Registers a tap under a plugin's name; answers with its undo. */
  tap(plugin: string, tap: Tap<A, R>, options?: TapOptions): () => void;
}

/** A moment of the core that taps are told of, in order; a tap that throws is reported and the others still run. */
export interface NotifyHook<A> extends Hook<A, void> {
  readonly kind: 'notify';
  call(argument: A): void;
}

interface TapableHook {
  tap(place: object, fn: (...args: never[]) => unknown): void;
  taps: { fn: unknown }[];
  compile: unknown;
  _resetCompilation(): void;
}

/** Registers a guarded tap with tapable, which keeps order and stages; the undo takes it out again. */
function register(
  hook: TapableHook,
  plugin: string,
  fn: (...args: never[]) => unknown,
  options: TapOptions,
): () => void {
  const place = {
    name: plugin,
    stage: STAGES[options.stage ?? 'normal'],
    ...(options.before ? { before: [...options.before] } : {}),
  };
  hook.tap(place, fn);
  return () => {
    hook.taps = hook.taps.filter((tap) => tap.fn !== fn);
    hook._resetCompilation();
  };
}

function prepared<H>(hook: H): H & TapableHook {
  const tapable = hook as H & TapableHook; // tapable's classes have these fields, its types hide them
  tapable.compile = compileLoop;
  return tapable;
}

/** Declares a notify hook (tapable's SyncHook). */
export function notifyHook<A>(name: string, onFault: HookFault): NotifyHook<A> {
  const hook = prepared(new SyncHook<[A]>(['argument'], name));
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
        options,
      ),
    call: (argument) => hook.call(argument),
  };
}
