import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite } from '../e2e/support/site.ts';
import type { Site } from '../e2e/support/site.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { HostHeap } from './host-heap.ts';
import { Shaper } from './shaper.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** Number of changes during which the client reads nothing: at 4 KB each, more than twice what the host may hold. */
const STALL_CHANGES = process.env['VITRINE_LONG'] ? 60_000 : 10_000;
/** Time between two looks at the host's memory, in ms. */
const LOOK_MS = 500;
/**
 * Maximum extra memory of the host for a tab whose client reads nothing over one that reads: batches in transit, and no
 * queue.
 */
const TAB_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Maximum number of bytes that make the view right again: batches in transit, and the state. The changes of a stall, compressed, are more
 * than twice as many.
 */
const STATE_MAX_BYTES = 12 * 1024 * 1024;

/**
 * 1,000 changes a second of 250 nodes, 4 KB of text each: reports its state to `/told`, which answers whether to continue. A batch has each
 * node once at most, so that it stays small on a machine that makes few of them.
 */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>busy</title>
<style>#rows > p { height: 20px; margin: 0; overflow: hidden; white-space: nowrap; content-visibility: auto }</style>
<p id="tick">0</p><div id="rows"></div>
<script>
const rows = document.getElementById('rows');
for (let i = 0; i < 250; i++) rows.append(Object.assign(document.createElement('p'), { textContent: '0' }));
let changed = 0;
// Longer than what the channel's compression remembers.
const noise = Array.from({ length: 1e5 + 500 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, '0')).join('');
const start = performance.now();
const change = () => {
  for (const due = performance.now() - start; changed < due; changed++)
    rows.children[changed % 250].firstChild.data = changed + ' ' + noise.substr(Math.random() * 1e6, 4096);
  document.getElementById('tick').firstChild.data = changed;
};
const timer = setInterval(change, 20);
const tell = async () => {
  const state = { changed, rows: Array.from(rows.children, (row) => row.textContent.split(' ', 1)[0]).join() };
  const answer = await fetch('/told', { method: 'POST', body: JSON.stringify(state) });
  if ((await answer.text()) === 'stop') clearInterval(timer);
  setTimeout(tell, 100);
};
tell();
</script>`;

interface Told {
  readonly changed: number;
  readonly rows: string;
}

let site: Site;
let folder: string;
let host: RunningHost;
let heap: HostHeap;
let shaper: Shaper;
let browser: Browser;
let told: Told = { changed: 0, rows: '' };
/** Number of reports of the page. */
let reports = 0;
let goOn = true;
beforeAll(async () => {
  site = await startSite();
  site.on('/busy', PAGE);
  site.on('/told', (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      told = JSON.parse(body) as Told; // the report of the page above
      reports += 1;
      response.end(goOn ? 'go' : 'stop');
    });
  });
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-stall-'));
  const log = path.join(folder, 'host.log');
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], log, env: HostHeap.env });
  heap = await HostHeap.attach(log);
  shaper = await Shaper.start(Number(new URL(host.origin).port));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await shaper.close();
  heap.close();
  await host.stop();
  await rm(folder, { recursive: true });
  await site.close();
});

/** State of the page as the person sees it: runs in the shell. */
function seen(): Told {
  const view = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
  const rows = Array.from(view?.querySelectorAll('#rows > p') ?? [], (row) => row.textContent.split(' ', 1)[0]);
  return { changed: Number(view?.getElementById('tick')?.textContent), rows: rows.join() };
}

const view = (page: Page): Promise<Told> => page.evaluate(seen);
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await delay(20);
  }
}

describe('a client that reads nothing while its page changes 1,000 nodes a second', () => {
  it(`holds no more than ${TAB_MAX_BYTES} bytes of the host, and gets the state of the page, and not its history, once it reads again`, async () => {
    const page = await browser.newPage();
    await page.goto(`${shaper.origin}/${site.origin}/busy`);
    await until(async () => (await view(page)).changed > 2000, 'the view follows the page');
    const before = await heap.held();
    const stall = async (): Promise<void> => {
      shaper.stall('down', true);
      const { changed } = told;
      let most = 0;
      for (; told.changed - changed < STALL_CHANGES; await delay(LOOK_MS))
        most = Math.max(most, (await heap.held()) - before);
      expect(most).toBeLessThan(TAB_MAX_BYTES);
      expect((await view(page)).changed).toBeLessThan(told.changed);
    };

    await stall();
    const { changed } = told;
    shaper.stall('down', false);
    await until(async () => (await view(page)).changed >= changed, 'the view catches up with a page that goes on');

    await stall();
    goOn = false;
    const reported = reports;
    await until(() => reports >= reported + 2, 'the page has reported its last state'); // the one before stops it
    const received = shaper.total.down;
    shaper.stall('down', false);
    const isRight = async (): Promise<boolean> => JSON.stringify(await view(page)) === JSON.stringify(told);
    await until(isRight, 'the view is as the page');
    expect(shaper.total.down - received).toBeLessThan(STATE_MAX_BYTES);
    expect(await page.evaluate(() => document.documentElement.dataset['vitrineState'])).toBe('ready');
  });
});
