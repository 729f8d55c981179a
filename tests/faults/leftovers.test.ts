import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { descendants, isRunning } from '../e2e/support/processes.ts';
import { startSite } from '../e2e/support/site.ts';
import type { Site } from '../e2e/support/site.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { HostHolding } from './holding.ts';
import { HostHeap } from './host-heap.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const PEOPLE = process.env['VITRINE_LONG'] ? 10 : 2;
const TABS = process.env['VITRINE_LONG'] ? 3 : 2;
/** Timeout for a host to release all of them: each surrogate is first asked to close. */
const GONE_MS = PATIENCE_MS;
/** A policy that ends abandoned sessions immediately. */
const IMPATIENT = 'tenants: { default: { policy: { limits: { idle_seconds: 1, lifetime_seconds: 1 } } } }\n';
const PATIENT = 'tenants: { default: {} }\n';

let site: Site;
let folder: string;
let log: string;
let policy: string;
let data: string;
let host: RunningHost;
let heap: HostHeap;
let holding: HostHolding;
let browser: Browser;
beforeAll(async () => {
  site = await startSite();
  const page = `<!doctype html><title>Page</title><p>text</p><iframe src="/inner"></iframe>
<script>document.cookie = 'a=1'; setInterval(() => { document.title = 'Page ' + performance.now(); }, 300);</script>`;
  for (let n = 0; n < TABS; n++) site.on(`/page${n}`, page);
  site.on('/inner', '<!doctype html><p>inner');
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-left-'));
  chmodSync(folder, 0o755); // surrogates run as another user
  policy = path.join(folder, 'policy.yaml');
  data = path.join(folder, 'data');
  writeFileSync(policy, PATIENT);
  log = path.join(folder, 'host.log');
  const options = ['--policy', policy, '--warm-cells', '1'];
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], data, options, log, env: HostHeap.env });
  heap = await HostHeap.attach(log);
  holding = new HostHolding(host.pid, data, heap);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  heap.close();
  await host.stop();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Has the host read another policy: the thread that does so is none of what tabs leave behind. */
async function decide(text: string): Promise<void> {
  const reloads = (): number => readFileSync(log, 'utf8').split('the policy was reloaded').length;
  const before = reloads();
  writeFileSync(policy, text);
  await expect.poll(reloads).toBeGreaterThan(before);
}

/** Opens and closes tabs for a number of people; resolves when the host has noticed. */
async function come(people: number): Promise<void> {
  const contexts = await Promise.all(Array.from({ length: people }, () => browser.newContext()));
  for (const context of contexts)
    for (let n = 0; n < TABS; n++) {
      const page = await context.newPage();
      await page.goto(`${host.origin}/${site.origin}/page${n}`);
      await page.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached', timeout: PATIENCE_MS });
    }
  const attached = new RegExp(`^vitrine_tabs_attached ${people * TABS}$`, 'm');
  const metrics = async (): Promise<string> => (await fetch(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(attached);
  await Promise.all(contexts.map((context) => context.close()));
  await decide(IMPATIENT);
  await expect.poll(async () => /^vitrine_sessions 0$/m.test(await metrics()), { timeout: GONE_MS }).toBe(true);
  await decide(PATIENT);
}

describe(`${PEOPLE} people with ${TABS} tabs each who all leave`, () => {
  it('leave no process, file, timer or socket behind', { timeout: 900_000 }, async () => {
    onTestFailed(() => console.error(readFileSync(log, 'utf8').slice(-5000)));
    await come(1); // resources that are created once, and stay
    const before = await holding.settled();
    expect(before.files).toMatchObject({ cookies: 0 });
    await come(PEOPLE);
    const after = await holding.back(before, GONE_MS);
    expect(after.timers).toBeLessThanOrEqual(before.timers);
    expect(after.sockets).toBeLessThanOrEqual(before.sockets);
    expect({ ...after, timers: 0, sockets: 0 }).toEqual({ ...before, timers: 0, sockets: 0 });
  });

  it('leave a host that stops cleanly, with nothing left behind', async () => {
    const started = descendants(host.pid);
    const { hostname, port } = new URL(host.origin);
    heap.close(); // a process that is inspected does not end
    await host.stop();
    expect(readFileSync(log, 'utf8')).toContain('"msg":"stopped"');
    // The processes of a browser end by themselves once it has gone.
    await expect.poll(() => started.filter(({ pid }) => isRunning(pid)).map(({ command }) => command)).toEqual([]);
    expect(holding.files()).toEqual({ profiles: 0, cells: 0, cookies: 0 });
    const refused = await new Promise<string>((resolve) => {
      net
        .connect({ host: hostname, port: Number(port) }, () => resolve('connected'))
        .on('error', ({ message }) => {
          resolve(message);
        });
    });
    expect(refused).toContain('ECONNREFUSED');
  });
});
