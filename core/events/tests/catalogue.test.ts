import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CORE_EVENTS } from '../catalogue.ts';
import { eventName } from '../event-record.ts';

const core = path.resolve(import.meta.dirname, '../..');
const sources = globSync('**/*.{ts,tsx}', { cwd: core, exclude: ['**/tests/**', 'testing/**', 'events/catalogue.ts'] })
  .map((file) => readFileSync(path.join(core, file), 'utf8'))
  .join('\n');

it('the catalogue of client events contains exactly the names that the core reports', () => {
  const named = [...sources.matchAll(/['"`](tc-[a-z0-9-]+)['"`]/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((name) => !(name! in CORE_EVENTS))).toEqual([]);
  // Some names are built from the failed step: `tc-${label}-failed`.
  const unused = Object.keys(CORE_EVENTS).filter(
    (name) => !sources.includes(`'${name}'`) && !sources.includes(name.replace(/^tc-(.*)-failed$/, "'$1'")),
  );
  expect(unused).toEqual([]);
});

it('names of the catalogue are sent unchanged, the exposure event with the prefix', () => {
  const changed = Object.keys(CORE_EVENTS).filter((name) => eventName(name) !== name);
  expect(changed).toEqual(['exposure']);
});
