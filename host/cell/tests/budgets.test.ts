import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAGE_BUDGETS } from '../../base/page-budgets.ts';
import { BEN, browse, serveSite, startWorker } from './harness.ts';
import type { TestClient } from './harness.ts';

/** Pages that cost too much, by path. */
const HOSTILE: Readonly<Record<string, string>> = {
  '/messages': `<p>floods the console<script>
    const text = 'x'.repeat(500_000);
    setInterval(() => console.log(text + Math.random()), 20);
  </script>`,
  '/names': `<p>connects to everybody<script>
    let count = 0;
    setInterval(() => fetch('http://n' + count++ + '.many.test:' + location.port, { mode: 'no-cors' }).catch(() => 0), 20);
  </script>`,
};

let site: Awaited<ReturnType<typeof serveSite>>;
let started: Awaited<ReturnType<typeof startWorker>>;
const faults: string[] = [];

beforeAll(async () => {
  site = await serveSite((_host, path) => `<!doctype html><title>${path}</title>${HOSTILE[path] ?? '<p>hello'}`);
  const budgets = {
    ...PAGE_BUDGETS,
    messages: { soft: 200_000, hard: 1_000_000 },
    names: { soft: 5, hard: 10 },
  };
  started = await startWorker({ limits: { budgets }, onFault: (from, code) => void faults.push(`${from} ${code}`) });
});
afterAll(async () => {
  await started.stop();
  site.close();
});

const goesOn = async (client: TestClient, url: string): Promise<void> => {
  expect(await client.ask('hi')).toBe(`hi in ${url}`);
};

it.each([
  ['/messages', 'messages'],
  ['/names', 'names'],
])('[H7] a page past its budgets is slowed and ended, and nobody else is affected: %s', async (path, kind) => {
  const { worker } = started;
  const [quiet, hostile] = [site.url('quiet.test'), site.url('hostile.test', path)];
  const others = await Promise.all([browse(worker, quiet), browse(worker, quiet, BEN)]);
  for (const other of others) await other.tellsOf('ready');
  const { tabs } = worker.counts();
  const client = await browse(worker, hostile);
  expect(await client.tellsOf('failed')).toMatchObject({
    frame: 1,
    url: hostile,
    errorText: 'vitrine:stopped',
    reason: { code: `budget-${kind}` },
  });
  expect(faults).toContain(`page slowed-${kind}`);
  expect(faults.filter((fault) => fault === `page budget-${kind}`)).toHaveLength(1);
  for (const other of others) await goesOn(other, quiet);
  // The tab lives on, and the page in it is gone.
  expect(worker.counts()).toMatchObject({ tabs: tabs + 1, crashes: 0 });
  await client.ask(`cdp Page.navigate ${JSON.stringify({ url: quiet })}`);
  await client.tellsOf('ready', ({ url }) => url === quiet);
  await goesOn(client, quiet);
  expect(client.core.filter(([name]) => name === 'surrogate-lost')).toEqual([]);
});
