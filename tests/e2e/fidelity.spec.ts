import path from 'node:path';
import { expect, test } from 'playwright/test';
import { readCorpus } from '../fidelity/corpus.ts';
import { table, worst } from '../fidelity/report.ts';
import { compareCorpora } from '../fidelity/run.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('pages of the corpus open, and look as they do when opened directly', async () => {
  test.setTimeout(240_000);
  const corpus = await readCorpus(path.join(ROOT, 'tests/corpus'));
  const results = await compareCorpora([corpus], {
    out: path.join(ROOT, '.vitrine/fidelity-sample'),
    jobs: 1,
    resume: false,
    product: true,
    peers: [],
  });
  console.log(`${table(results)}\n${worst(results, 10)}`);
  expect(results.map(({ page }) => page).sort()).toEqual(corpus.pages.map(({ path: page }) => page).sort());
  expect(results.filter(({ differing }) => differing !== 0)).toEqual([]);
});
