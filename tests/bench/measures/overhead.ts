import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from '../../../host/surrogate/launch.ts';
import { chromiumPath, VIEWPORT } from '../../fidelity/browser.ts';
import { dataFolder, removeFolder, silent } from '../../../host/surrogate/tests/fixture.ts';
import { median, rowsOf } from '../measure.ts';
import type { Row } from '../measure.ts';
import type { LiveSubject } from '../live-page.ts';
import type { Stage } from '../stage.ts';
import { watch } from '../watch.ts';

export const name = 'overhead';

const KINDS = ['elements', 'markup'] as const;
const WARM_UP = 2;
const ITERATIONS = 5;
const ROUNDS = 3;
const BOUND_MS = 120_000;
const PAGES = path.resolve(import.meta.dirname, '../pages');

type Figures = Record<string, number>;

/**
 * Time that a page needs for its own work while it is mirrored: a to-do list is filled with a hundred items, all are
 * completed, all are removed (after TodoMVC in Speedometer). The peers are a surrogate's Chromium without a page half,
 * and the page while rrweb records it. The aim is 1.05 of the former where frames come between the steps, as they do in
 * Speedometer.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const taken = await stage.each(name, (subject) => shown(stage, subject));
  taken.set('alone', await alone());
  return rowsOf('ms', taken);
}

async function take(work: (kind: string, iterations: number) => Promise<string>): Promise<Figures> {
  const figures: Figures = {};
  for (const kind of KINDS) {
    await work(kind, WARM_UP);
    const samples: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) samples.push((await work(kind, ITERATIONS)).split(',').map(Number));
    figures[`to do, ${kind}`] = median(samples.map(([apart = NaN]) => apart));
    figures[`to do, ${kind}, in a row`] = median(samples.map(([, row = NaN]) => row));
  }
  return figures;
}

async function shown({ pages }: Stage, subject: LiveSubject): Promise<Figures> {
  const { url, command } = pages.page('bench/pages/todo.html');
  const page = await subject.open(url);
  try {
    const { until } = await watch(page);
    return await take(async (kind, iterations) => {
      command(`${kind} ${iterations}`);
      await until(kind, BOUND_MS);
      return (await page.client.frameLocator(page.frame).locator('output').textContent()) ?? '';
    });
  } finally {
    await page.close();
  }
}

/** The same page in the same Chromium with the same flags, without a mirror. */
async function alone(): Promise<Figures> {
  const dataDir = await dataFolder();
  const browser = await launchChromium({ executable: chromiumPath(), dataDir, proxyPort: 9, log: silent });
  try {
    const [html, script] = await Promise.all(
      ['todo.html', 'work.js'].map((f) => readFile(path.join(PAGES, f), 'utf8')),
    );
    const whole = (html ?? '').replace('<script src="work.js"></script>', () => `<script>${script}</script>`);
    const { root } = browser.connection;
    const { targetId } = await root.send('Target.createTarget', {
      url: `data:text/html,${encodeURIComponent(whole)}`,
      ...VIEWPORT,
      newWindow: true,
    });
    const session = await browser.connection.attach(targetId);
    return await take(async (kind, iterations) => {
      const { result } = await session.send(
        'Runtime.evaluate',
        { expression: `work('${kind}', ${iterations})`, awaitPromise: true, returnByValue: true },
        { deadlineMs: BOUND_MS },
      );
      return String(result.value);
    });
  } finally {
    await browser.close();
    await removeFolder(dataDir);
  }
}
