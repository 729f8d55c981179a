/** How the taps of one hook are run. */
export type Run = 'each' | 'parallel' | 'waterfall' | 'bail';

interface CompileOptions {
  readonly taps: readonly { readonly fn: (argument: unknown) => unknown }[];
}

/**
 * A replacement for tapable's code generation, which the shell's content security policy forbids (`new Function`). tapable keeps
 * the order of taps; this only loops over them. Faults are the guards' business: see hook.ts.
 */
export function compileLoop(run: Run): (options: CompileOptions) => (argument: unknown) => unknown {
  return ({ taps }) => {
    const fns = taps.map((tap) => tap.fn);
    switch (run) {
      case 'each':
        return (argument) => {
          for (const fn of fns) fn(argument);
        };
      case 'parallel':
        return async (argument) => {
          await Promise.all(fns.map((fn) => fn(argument)));
        };
      case 'waterfall':
        return (argument) => fns.reduce((value, fn) => fn(value) ?? value, argument);
      case 'bail':
        return async (argument) => {
          for (const fn of fns) {
            const outcome = await fn(argument);
            if (outcome !== undefined) return outcome;
          }
          return undefined;
        };
    }
  };
}
