import { startCanary } from './canary.ts';
import type { Canary } from './canary.ts';
import { test as base } from './vitrine.ts';

/** The tests' entry where pages are hostile: with a canary for one worker's tests. */
export const test = base.extend<object, { readonly canary: Canary }>({
  canary: [
    async ({}, use) => {
      const canary = await startCanary();
      await use(canary);
      await canary.close();
    },
    { scope: 'worker' },
  ],
});
