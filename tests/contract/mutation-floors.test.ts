import { spawnSync } from 'node:child_process';
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

it('no floor has been lowered since it was written, and no module with one has gone', () => {
  const git = (...args: readonly string[]): string[] => {
    const { status, stdout } = spawnSync('git', args, { cwd: TESTS, encoding: 'utf8' });
    return status === 0 ? [stdout] : []; // an archive of the sources has no history
  };
  const commits = git('log', '--first-parent', '--format=%h', '--', 'mutation/floors.json')
    .join('')
    .split('\n')
    .filter(Boolean);
  const versions = commits.flatMap((commit) => git('show', `${commit}:tests/mutation/floors.json`));
  const floors = [read('mutation/floors.json'), ...versions].map((text) => JSON.parse(text) as Record<string, number>);
  for (const [index, older] of floors.slice(1).entries())
    for (const [name, floor] of Object.entries(older))
      expect(floors[index]?.[name] ?? 0, `${name}, since ${commits[index]}`).toBeGreaterThanOrEqual(floor);
});
