/**
 * Entry for main halves: they run in the page's own world, before its scripts, and stand in for what the page calls that a person has
 * to be asked for. They decide nothing: what protects is decided where the page's scripts do not reach.
 */
import type { Line } from './kernel/line.ts';

/** A main half exports `activate`. It stays for as long as the document: where nobody listens on the line it leaves calls alone. */
export type ActivateMain = (line: Line) => void;

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const OwnProxy = Proxy;

/** A call of the page: `native` makes it as it would have been made. */
export interface PageCall {
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** With other arguments, where they are given. */
  native(args?: readonly unknown[]): unknown;
}

/**
 * Stands before a method: the page sees a function that says that it is native, though without its name (`function () { [native code] }`),
 * has the same name and length, and is no constructor, as a proxy of the method is. A method that there is none of is left alone.
 */
export function standBefore(owner: object, name: string, take: (call: PageCall) => unknown): void {
  const descriptor = getOwnPropertyDescriptor(owner, name);
  const method: unknown = descriptor?.value;
  if (typeof method !== 'function') return;
  const value = new OwnProxy(method, {
    apply: (native, self, args: unknown[]) =>
      take({ self, args, native: (given = args) => apply(native, self, given) as unknown }),
  });
  defineProperty(owner, name, { ...descriptor, value });
}
