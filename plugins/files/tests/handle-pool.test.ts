import { open } from 'node:fs/promises';
import os from 'node:os';
import { expect, it } from 'vitest';
import { HandlePool } from '../host/store/handle-pool.ts';

it('a file that could not be opened is opened by its next use', async () => {
  const pool = new HandlePool();
  let opened = 0;
  const file = {
    open: () => ((opened += 1) === 1 ? Promise.reject(new Error('too many files')) : open(os.devNull)),
    onClosed: () => undefined,
  };
  const use = (): Promise<number> => pool.use(file, async ({ fd }) => fd);
  const first = await Promise.allSettled([use(), use()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await use()).toBeGreaterThan(0);
  expect(await use()).toBeGreaterThan(0);
  expect(opened).toBe(2);
  await pool.close();
});
