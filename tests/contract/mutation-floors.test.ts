import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MODULES } from '../mutation/modules.ts';

const TESTS = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(TESTS, file), 'utf8');

it('each module that is mutated has a floor, and the README states it', () => {
  const floors = JSON.parse(read('mutation/floors.json')) as Record<string, number>; // ours
  expect(Object.keys(floors).sort()).toEqual(Object.keys(MODULES).sort());
  const stated = read('README.md').matchAll(/^\| `(\w+)` \| (\d+) % \|$/gm);
  expect(Object.fromEntries([...stated].map(([, name, floor]) => [name, Number(floor)]))).toEqual(floors);
});
