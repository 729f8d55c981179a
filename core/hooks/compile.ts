interface CompileOptions {
  readonly taps: readonly { readonly fn: (argument: unknown) => unknown }[];
}

/**
 * A replacement for tapable's code generation, which the shell's content security policy forbids (`new Function`). tapable keeps
 * the order of taps; this only loops over them. Faults are the guards' business: see hook.ts.
 */
export function compileLoop({ taps }: CompileOptions): (argument: unknown) => void {
  const fns = taps.map((tap) => tap.fn);
  return (argument) => {
    for (const fn of fns) fn(argument);
  };
}
