/**
 * Changes the sources of `modules.ts`, one small change at a time, and runs their tests: a change that no test notices
 * survives. A module's score is the share of changes that were noticed, in per cent; it must not fall under its floor.
 *
 * Not changed are texts, which tests of errors and logs do not assert, and what runs once, at import: each change there would need all
 * tests. Tests that take 5 s longer than usual have noticed it, too: an endless loop.
 *
 * `--only MODULE` runs one module, and can be given several times; `--raise` writes floors that have been exceeded;
 * `--survivors` lists what survived.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Tally } from '../tally.ts';
import { MODULES } from './modules.ts';
import type { MutatedModule } from './modules.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FLOORS = path.join(import.meta.dirname, 'floors.json');
type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** Runs one module; the result has mutants that were noticed and those that were not. */
async function mutate({ mutate, tests }: MutatedModule): Promise<{ noticed: Mutant[]; survived: Mutant[] }> {
  process.env.VITRINE_MUTATION_TESTS = tests.join(';');
  delete process.env.VITRINE_LONG; // property tests draw the same cases for each mutant, and not more than usual
  const configFile = path.join(import.meta.dirname, 'stryker.json');
  const mutants = await new Stryker({ configFile, mutate: [...mutate] }).runMutationTest();
  const of = (...statuses: readonly Mutant['status'][]): Mutant[] =>
    mutants.filter(({ status }) => statuses.includes(status));
  return { noticed: of('Killed', 'Timeout'), survived: of('Survived', 'NoCoverage') };
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(MODULES) },
    raise: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
  },
});

process.chdir(ROOT);
const floors = JSON.parse(readFileSync(FLOORS, 'utf8')) as Record<string, number>; // ours
const tally = new Tally();
for (const name of values.only)
  await tally.check(`mutants of ${name} are noticed`, async () => {
    const module = MODULES[name];
    if (!module) return `There is no such module; there are ${Object.keys(MODULES).join(', ')}.`;
    const { noticed, survived } = await mutate(module);
    const count = noticed.length + survived.length;
    const score = (100 * noticed.length) / count;
    const floor = floors[name] ?? 0;
    console.log(
      `  ${name}: ${noticed.length} of ${count} mutants are noticed (${score.toFixed(1)} %, floor ${floor} %)`,
    );
    if (values.survivors)
      for (const { fileName, location, mutatorName, replacement, status } of survived)
        console.log(
          `    ${path.relative(ROOT, fileName)}:${location.start.line}:${location.start.column} ${mutatorName} ${status}: ${replacement}`,
        );
    if (values.raise) floors[name] = Math.max(floor, Math.floor(score));
    return score >= floor ? undefined : `The score is ${score.toFixed(1)} %, under the floor of ${floor} %.`;
  });
if (values.raise) writeFileSync(FLOORS, `${JSON.stringify(floors, null, 2)}\n`);
tally.finish();
