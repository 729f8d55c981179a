import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { PAGE_BUDGETS } from '../../base/page-budgets.ts';
import { BEN, browse, serveSite, startWorker } from './harness.ts';
import type { TestClient } from './harness.ts';

/** Asks other hosts for something every 20 ms. */
const ASKS = `let count = 0;
  const ask = () => {
    const url = 'http://n' + count++ + '.many.test:' + new URL(self.origin).port;
    fetch(url, { mode: 'no-cors' }).catch(() => 0);
  };
  setInterval(() => { for (let each = 0; each < 3; each++) ask(); }, 20);`;
/** A script that runs another in a worker. */
const inWorker = (script: string, kind = 'Worker'): string =>
  `self.kept = new ${kind}(URL.createObjectURL(new Blob([${JSON.stringify(script)}])));`;

/** Pages that cost too much, by path. */
const HOSTILE: Readonly<Record<string, string>> = {
  '/messages': `<p>floods the console<script>
    const text = 'x'.repeat(200_000);
    setInterval(() => console.log(text + Math.random()), 20);
  </script>`,
  '/names': `<p>connects to everybody<script>${ASKS}</script>`,
  '/worker': `<p>has a worker do it<script>${inWorker(ASKS)}</script>`,
  '/nested': `<p>has the worker of a worker do it<script>${inWorker(inWorker(ASKS))}</script>`,
  '/sockets': `<p>connects by websockets<script>
    let count = 0;
    const ask = () => new WebSocket('ws://n' + count++ + '.many.test:' + location.port);
    setInterval(() => { for (let each = 0; each < 3; each++) ask(); }, 20);
  </script>`,
  '/shared': `<p>has a shared worker do it<script>${inWorker(ASKS, 'SharedWorker')}</script>`,
  '/preconnect': `<p>connects in advance<script>
    let count = 0;
    setInterval(() => {
      const link = Object.assign(document.createElement('link'), { rel: 'preconnect' });
      link.href = 'https://n' + count++ + '.many.test:' + location.port;
      document.head.append(link);
    }, 20);
  </script>`,
};

/**
 * Budgets that these pages are past at a run of theirs each second: slowed, on a busy machine, they have no more. Each kind has cells of its
 * own: requests for names are messages, too.
 */
const BUDGETS = { messages: { soft: 50_000, hard: 100_000 }, names: { soft: 1, hard: 2 } };
type Kind = keyof typeof BUDGETS;
/** Every name leads to loopback. */
const egress = (names: number) => ({
  allowPrivate: true,
  resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  network: { connections: 1024, names },
});

let site: Awaited<ReturnType<typeof serveSite>>;
let started: Readonly<Record<Kind, Awaited<ReturnType<typeof startWorker>>>>;
const faults: string[] = [];

beforeAll(async () => {
  site = await serveSite((_host, path) => `<!doctype html><title>${path}</title>${HOSTILE[path] ?? '<p>hello'}`);
  const start = (kind: Kind): ReturnType<typeof startWorker> =>
    startWorker({
      egress: egress(100_000), // the budget ends the pages, not this
      limits: { budgets: { ...PAGE_BUDGETS, [kind]: BUDGETS[kind] } },
      onFault: (from, code) => void faults.push(`${from} ${code}`),
    });
  started = { messages: await start('messages'), names: await start('names') };
});
afterAll(async () => {
  for (const { stop } of Object.values(started)) await stop();
  site.close();
});

/** Leads a tab to an address, once more where its blank page is lost meanwhile: Chromium crashes now and then when it has ended one. */
const lead = (client: TestClient, url: string): Promise<void> =>
  vi.waitFor(async () => {
    await client.ask(`cdp Page.navigate ${JSON.stringify({ url })}`);
    await client.until(
      () => client.told.some(({ what, data }) => what === 'ready' && data['url'] === url),
      url,
      10_000,
    );
  }, PATIENCE_MS);
const goesOn = async (client: TestClient, url: string): Promise<void> => {
  expect(await client.ask('hi')).toBe(`hi in ${url}`);
};

it.each([
  ['/messages', 'messages'],
  ['/names', 'names'],
  ['/worker', 'names'],
  ['/nested', 'names'],
  ['/sockets', 'names'],
] as const)('[H7] a page past its budgets is slowed and ended, and nobody else is affected: %s', async (path, kind) => {
  const { worker } = started[kind];
  faults.length = 0;
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
  expect(worker.counts()).toMatchObject({ tabs: tabs + 1 });
  for (const other of others) expect(other.core.filter(([name]) => name === 'surrogate-lost')).toEqual([]);
  await lead(client, quiet);
  await goesOn(client, quiet);
  expect(client.core.filter(([name]) => name === 'surrogate-lost')).toEqual([]);
});

it('[H7] a shared worker past its budgets is ended with the pages of its site, and no others are', async () => {
  const { worker } = started.names;
  faults.length = 0;
  const [quiet, hostile] = [site.url('quiet.test'), site.url('hostile.test', '/shared')];
  const other = await browse(worker, quiet);
  await other.tellsOf('ready');
  const client = await browse(worker, hostile);
  expect(await client.tellsOf('failed')).toMatchObject({
    url: hostile,
    errorText: 'vitrine:stopped',
    reason: { code: 'budget-names' },
  });
  expect(faults.filter((fault) => fault === 'page budget-names')).toHaveLength(1);
  await goesOn(other, quiet);
  // The tab lives on.
  await lead(client, quiet);
  await goesOn(client, quiet);
});

it.each(['/shared', '/preconnect'])(
  'names that no page is known to ask for are counted for the cell, which is slowed: %s',
  async (path) => {
    const told: string[] = [];
    const own = await startWorker({ egress: egress(20), onFault: (from, code) => void told.push(`${from} ${code}`) });
    try {
      const client = await browse(own.worker, site.url('hostile.test', path));
      await client.tellsOf('ready');
      await expect.poll(() => told).toContain('page cell-slowed-names');
      // The person's other tabs go on.
      const quiet = site.url('hostile.test');
      const other = await browse(own.worker, quiet);
      await other.tellsOf('ready');
      await goesOn(other, quiet);
    } finally {
      await own.stop();
    }
  },
);
