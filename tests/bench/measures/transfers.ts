import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { startHost } from '../../fidelity/host.ts';
import { serveFiles } from '../file-server.ts';
import type { FileServer } from '../file-server.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import { usageOf } from '../processes.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';
import { echoes } from '../typing.ts';

export const name = 'transfers';

const MIB = 1024 * 1024;
/** Size of the large file, in MiB; in the environment for shorter runs. */
const LARGE = Number(process.env['VITRINE_BENCH_MIB'] ?? 2048);
/** Files at once, and the size of each, in MiB. */
const AT_ONCE = 10;
const EACH = Math.ceil(LARGE / AT_ONCE);
const BOUND_MS = 10 * 60_000;
const SAMPLE_MS = 300;

interface Parts {
  readonly context: BrowserContext;
  readonly site: FileServer;
  /** Origin of the host. */
  readonly host: string;
  readonly hostPid: number;
  /** A file of the large size. */
  readonly file: string;
}

/**
 * Files of 2 GiB through the host, beside Chromium's own download, a static server and a plain POST of the same browser: times, memory that all
 * processes of the host take meanwhile, and the echo of keys. The aims: into the store within 1.4 of Chromium's own download, out of it within 1.7
 * of a static server, an upload until `change` within 4 of a POST; 128 MiB for one file and 256 for ten; echoes within 1.5 of those alone.
 */
export async function run({ browser, host: product }: Stage): Promise<Row[]> {
  if (product === undefined) return [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-bench-files-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'large.bin');
  await fill(file, LARGE);
  const site = stack.adopt(await serveFiles(file), (server) => server.close());
  const host = stack.adopt(await startHost({ allow: [site.host] }), (running) => running.stop());
  const context = stack.adopt(await browser.newContext({ viewport: VIEWPORT, acceptDownloads: true }), (c) =>
    c.close(),
  );
  const parts: Parts = { context, site, host: host.origin, hostPid: host.pid, file };
  await opened(parts, 1, (page) => save(page, link(page))); // the services are there then
  return [...(await download(parts)), ...(await upload(parts)), ...(await atOnce(parts))];
}

/** The large file, from the site to the store and on to the disk of the person. */
async function download(parts: Parts): Promise<Row[]> {
  const { context, site } = parts;
  const direct = await context.newPage();
  await direct.goto(`${site.origin}/page?mib=${LARGE}`);
  const own = await save(direct, direct.locator('#file'));
  await direct.close();
  return opened(parts, LARGE, async (page) => {
    const alone = median(await typed(page));
    const memory = await watched(parts.hostPid);
    const saving = save(page, link(page));
    await rowIn(page, 'receiving').waitFor({ timeout: BOUND_MS });
    const beside = median(await typed(page));
    const saved = await saving;
    const added = await memory.peak();
    const cookies = (await context.cookies()).map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
    const fromStore = await fetched(saved.url, cookies);
    const fromServer = await fetched(`${site.origin}/static`);
    const what = `${LARGE} MiB`;
    return [
      { name: `${what}: click to store`, unit: 'ms', values: { vitrine: saved.storedMs, directly: own.savedMs } },
      { name: `${what}: click to saved file`, unit: 'ms', values: { vitrine: saved.savedMs, directly: own.savedMs } },
      { name: `${what}: store to client`, unit: 'ms', values: { vitrine: fromStore, 'static server': fromServer } },
      { name: `${what}: memory of the host for a download`, unit: 'MiB', values: { vitrine: added } },
      { name: 'echo beside a download, median', unit: 'ms', values: { vitrine: beside, alone } },
    ];
  });
}

async function upload(parts: Parts): Promise<Row[]> {
  const { context, site, file, hostPid } = parts;
  const direct = await context.newPage();
  await direct.goto(`${site.origin}/page`);
  const posted = await chosen(direct, direct.locator('#post'), file, direct.locator('#posted'));
  await direct.close();
  return opened(parts, 1, async (page) => {
    const frame = page.frameLocator(VIEW);
    const alone = median(await typed(page));
    const memory = await watched(hostPid);
    const changing = chosen(page, frame.locator('#change'), file, frame.locator('#changed'));
    await page.locator('[data-vitrine-transfer="up"]').waitFor({ timeout: BOUND_MS });
    const beside = median(await typed(page));
    const changed = await changing;
    return [
      { name: `${LARGE} MiB: upload to change`, unit: 'ms', values: { vitrine: changed, 'plain POST': posted } },
      { name: `${LARGE} MiB: memory of the host for an upload`, unit: 'MiB', values: { vitrine: await memory.peak() } },
      { name: 'echo beside an upload, median', unit: 'ms', values: { vitrine: beside, alone } },
    ];
  });
}

async function atOnce(parts: Parts): Promise<Row[]> {
  return opened(parts, EACH, async (page) => {
    const memory = await watched(parts.hostPid);
    for (let at = 0; at < AT_ONCE; at++) await link(page).click();
    await rowIn(page, 'saved')
      .nth(AT_ONCE - 1)
      .waitFor({ timeout: BOUND_MS });
    const what = `${AT_ONCE} times ${EACH} MiB at once: memory of the host`;
    return [{ name: what, unit: 'MiB', values: { vitrine: await memory.peak() } }];
  });
}

/** Opens the site's page through the host, for as long as `use` takes. */
async function opened<T>({ context, site, host }: Parts, mib: number, use: (page: Page) => Promise<T>): Promise<T> {
  const page = await context.newPage();
  try {
    await page.goto(`${host}/${site.origin}/page?mib=${mib}`);
    await page.waitForSelector('html[data-vitrine-state="ready"]', { state: 'attached' });
    await link(page).waitFor();
    return await use(page);
  } finally {
    await page.close();
  }
}

const link = (page: Page): Locator => page.frameLocator(VIEW).locator('#file');
const rowIn = (page: Page, state: string): Locator =>
  page.locator(`[data-vitrine-transfer="down"][data-state="${state}"]`);
const typed = (page: Page): Promise<number[]> => echoes(page, { frame: VIEW, roundTrip: 0, effect: 'character' });

/**
 * Clicks, and waits for the file. Times from the click, in ms: until the row of the file says that it is stored and may be saved, and until the
 * person's browser has it. Between both are the 1.7 s of M-036.
 */
async function save(page: Page, from: Locator): Promise<{ storedMs: number; savedMs: number; url: string }> {
  const coming = page.waitForEvent('download', { timeout: BOUND_MS });
  const at = performance.now();
  await from.click();
  let storedMs: number | undefined;
  rowIn(page, 'allowed')
    .waitFor({ timeout: BOUND_MS })
    .then(() => (storedMs = performance.now() - at))
    .catch(() => undefined); // a page without the host has no rows
  const arrived = await coming;
  await arrived.path();
  const savedMs = performance.now() - at;
  await arrived.delete();
  return { storedMs: storedMs ?? savedMs, savedMs, url: arrived.url() };
}

/** Gives a page a file. @returns time until its size is there, in ms */
async function chosen(page: Page, input: Locator, file: string, output: Locator): Promise<number> {
  const choosing = page.waitForEvent('filechooser');
  await input.click();
  const chooser = await choosing;
  const at = performance.now();
  await chooser.setFiles(file);
  await output.getByText(String(LARGE * MIB)).waitFor({ timeout: BOUND_MS });
  return performance.now() - at;
}

/** Takes the memory of the host now and again. `peak`: the most that it has had more than at first, in MiB. */
async function watched(pid: number): Promise<{ peak(): Promise<number> }> {
  const now = async (): Promise<number> => {
    const { itself, below } = await usageOf(pid);
    return (itself.bytes + below.bytes) / MIB;
  };
  const first = await now();
  let most = first;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      most = Math.max(most, await now());
      await delay(SAMPLE_MS);
    }
  })();
  return {
    peak: async () => {
      isOver = true;
      await sampling;
      return most - first;
    },
  };
}

/** Reads an answer to its end. @returns the time, in ms */
async function fetched(url: string, cookie?: string): Promise<number> {
  const at = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  http
    .get(url, { headers: cookie === undefined ? {} : { cookie } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        if (bytes === LARGE * MIB) resolve(performance.now() - at);
        else reject(new Error(`${url} has ${bytes} bytes, with status ${response.statusCode}`));
      });
      response.on('error', reject);
    })
    .on('error', reject);
  return promise;
}

/** Writes a file that no codec makes smaller. */
async function fill(file: string, mib: number): Promise<void> {
  const block = randomBytes(MIB);
  await using handle = await open(file, 'wx');
  for (let at = 0; at < mib; at++) await handle.write(block);
}
