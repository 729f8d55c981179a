import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currentReadme, README } from './plugin-reference.ts';

it('is what the README of the plugins says of hooks, slots, services, messages, error codes and the first plugin', async () => {
  const readme = readFileSync(README, 'utf8');
  // Fix by running `node tests/contract/plugin-reference.ts`.
  expect(readme).toBe(await currentReadme(readme));
});
