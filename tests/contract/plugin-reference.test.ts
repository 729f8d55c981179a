import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currentReadme, README } from './plugin-reference.ts';

it('matches the tables of hooks, slots, services, messages and error codes, and the first plugin, in the README of the plugins', async () => {
  const readme = readFileSync(README, 'utf8');
  expect(readme, 'plugins/README.md is out of date: run node tests/contract/plugin-reference.ts').toBe(
    await currentReadme(readme),
  );
});
