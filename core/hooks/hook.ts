import { SyncHook } from 'tapable';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';

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

type Tap<A> = (argument: A) => void | Promise<void>;

/** A moment of the core, as plugins see it. */
export interface Hook<A> {
  readonly name: string;
  /** Registers a tap under a plugin's name; answers with its undo. */
  tap(plugin: string, tap: Tap<A>, options?: TapOptions): () => void;
}

/** A moment of the core that taps are told of, in order; a tap that throws or rejects is reported and the others still run. */
export interface NotifyHook<A> extends Hook<A> {
  call(argument: A): void;
}

/** The fields of tapable's classes that its types hide. */
interface Workings<A> {
  taps: { fn: (argument: A) => void }[];
  compile: (options: { readonly taps: readonly { readonly fn: (argument: A) => void }[] }) => (argument: A) => void;
  _resetCompilation(): void;
}

/**
 * Declares a notify hook. tapable's SyncHook keeps the order of taps; its code generation, which the shell's content security policy
 * forbids (`new Function`), is replaced by a loop.
 */
export function notifyHook<A>(name: string, onFault: HookFault): NotifyHook<A> {
  const hook = new SyncHook<[A]>(['argument'], name);
  const inner = hook as unknown as Workings<A>; // see Workings
  inner.compile = ({ taps }) => {
    const now = taps.map(({ fn }) => fn); // a tap may tap, or be undone, during a call
    return (argument) => {
      for (const fn of now) fn(argument);
    };
  };
  return {
    name,
    tap: (plugin, tap, { stage = 'normal', before } = {}) => {
      const failed = (thrown: unknown): void => onFault(toAppError(thrown), name, plugin);
      const guarded = (argument: A): void => {
        try {
          const outcome = tap(argument);
          if (outcome instanceof Promise) outcome.catch(failed);
        } catch (thrown) {
          failed(thrown);
        }
      };
      const place = { name: plugin, stage: STAGES[stage], ...(before && { before: [...before] }) };
      hook.tap(place as Omit<typeof place, 'before'>, guarded); // tapable's types know one name in `before`, its code many
      return () => {
        inner.taps = inner.taps.filter(({ fn }) => fn !== guarded);
        inner._resetCompilation();
      };
    },
    call: (argument) => hook.call(argument),
  };
}
