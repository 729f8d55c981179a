import type { PageCall } from '../contracts/main-half.ts';

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const OwnProxy = Proxy;

/**
 * Intercepts calls of a method. The page sees a function that reports itself as native, without its name (`function () { [native code] }`),
 * and that has the same name and length and is no constructor, because it is a proxy of the method. A missing method is left alone.
 */
export function interceptMethod(owner: object, name: string, take: (call: PageCall) => unknown): void {
  const descriptor = getOwnPropertyDescriptor(owner, name);
  const method: unknown = descriptor?.value;
  if (typeof method !== 'function') return;
  const value = new OwnProxy(method, {
    apply: (native, self, args: unknown[]) =>
      take({ self, args, native: (given = args) => apply(native, self, given) as unknown }),
  });
  defineProperty(owner, name, { ...descriptor, value });
}
