import type { PageCall } from '../contracts/main-half.ts';

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const OwnProxy = Proxy;

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
