import path from 'node:path';
import { expect, test } from 'playwright/test';
import { readCorpus } from '../fidelity/corpus.ts';
import { sampled } from '../../core/testing/tier.ts';
import { USUAL_SCREEN } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import { table, worst } from '../fidelity/report.ts';
import { compareCorpora } from '../fidelity/run.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Number of pages of the corpus that a short run compares. */
const SAMPLE = 9;
/** Ratios of usual screens beside 1, and the pages that are compared at each. */
const RATIOS = [1.25, 1.5, 2];
const AT_RATIOS = ['/screen.html', '/control-fonts.html'];

test('pages of the corpus open, and look as they do when opened directly', async () => {
  const whole = await readCorpus(path.join(ROOT, 'tests/corpus'));
  const corpus = { ...whole, pages: sampled(whole.pages, SAMPLE) };
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

test('pages look as when opened directly at any ratio of device pixels', async () => {
  const corpus = await readCorpus(path.join(ROOT, 'tests/corpus'));
  const pages = corpus.pages.filter((page) => AT_RATIOS.includes(page.path));
  const host = await startHost({ allow: ['127.0.0.1'] });
  const results = [];
  for (const ratio of RATIOS) {
    const found = await compareCorpora([{ ...corpus, pages }], {
      out: path.join(ROOT, `.vitrine/fidelity-ratio-${ratio}`),
      jobs: 1,
      resume: false,
      product: true,
      peers: [],
      screen: { ...USUAL_SCREEN, ratio },
      host: host.origin,
    });
    results.push(...found.map(({ page, differing, reason }) => ({ ratio, page, differing, reason })));
  }
  await host.stop();
  const exact = { differing: 0, reason: undefined };
  expect(results).toEqual(RATIOS.flatMap((ratio) => pages.map(({ path: page }) => ({ ratio, page, ...exact }))));
});
