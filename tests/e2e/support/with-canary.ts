import { startCanary } from './canary.ts';
import type { Canary } from './canary.ts';
import { test as base } from './vitrine.ts';

/** Test fixture for hostile pages: with a canary per worker. */
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
