import { SyncHook } from 'tapable';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';

/** Named stages, in the order in which taps of one hook run. */
const STAGES = { first: -100, early: -10, normal: 0, late: 10, last: 100 } as const;
type Stage = keyof typeof STAGES;

/** Order of a tap. */
export interface TapOptions {
  /** Default: `normal`. */
  readonly stage?: Stage;
  /** Names of plugins whose taps run after this one. */
  readonly before?: readonly string[];
}

/** Called for every fault of a tap, with the names of the hook and the plugin. */
export type HookFault = (fault: AppError, hook: string, plugin: string) => void;

type Tap<A> = (argument: A) => void | Promise<void>;

/** An extension point of the core, as plugins see it. */
export interface Hook<A> {
  readonly name: string;
  /** Registers a tap under a plugin's name. Returns a function that removes it. */
  tap(plugin: string, tap: Tap<A>, options?: TapOptions): () => void;
}

/** A hook that notifies its taps in order. A tap that throws or rejects is reported; the others still run. */
export interface NotifyHook<A> extends Hook<A> {
  call(argument: A): void;
}

/** Fields of tapable's classes that its types do not contain. */
interface TapableInternals<A> {
  taps: { fn: (argument: A) => void }[];
  compile: (options: { readonly taps: readonly { readonly fn: (argument: A) => void }[] }) => (argument: A) => void;
  _resetCompilation(): void;
}

/**
 * Declares a notify hook. tapable's SyncHook orders the taps. Its code generation (`new Function`), which the shell's content security
 * policy forbids, is replaced by a loop.
 */
export function notifyHook<A>(name: string, onFault: HookFault): NotifyHook<A> {
  const hook = new SyncHook<[A]>(['argument'], name);
  const inner = hook as unknown as TapableInternals<A>; // see TapableInternals
  inner.compile = ({ taps }) => {
    const now = taps.map(({ fn }) => fn); // a tap may add or remove taps during a call
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
      hook.tap(place as Omit<typeof place, 'before'>, guarded); // tapable's types accept one name in `before`, its code several
      return () => {
        inner.taps = inner.taps.filter(({ fn }) => fn !== guarded);
        inner._resetCompilation();
      };
    },
    call: (argument) => hook.call(argument),
  };
}
