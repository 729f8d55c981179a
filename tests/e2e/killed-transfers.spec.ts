import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { descendants, isRunning } from './support/processes.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const MIB = 1024 * 1024;
/** Bytes that are nowhere else. */
const MARK = 'a secret of the person. ';
const secret = (size: number): Buffer => Buffer.alloc(size, MARK);
const SLOW = `attachment; filename="slow.bin"`;

let host: RunningHost;
let data: string;
test.beforeEach(async ({ site, folder }) => {
  data = mkdtempSync(path.join(folder, 'data-'));
  host = await startHost({ allow: [`127.0.0.1:${site.port}`], data });
  site.on('/page', '<h1>Here</h1><a id="slow" href="/slow">Slow</a><input id="file" type="file"><p id="out"></p>');
  site.on('/slow', (_request, response) => {
    response.writeHead(200, { 'content-disposition': SLOW, 'content-length': 64 * MIB, 'cache-control': 'no-store' });
    response.write(secret(8 * MIB)); // and no more
  });
});
test.afterEach(() => host.stop());

const rowOf = (page: Page, way: 'up' | 'down'): Locator => page.locator(`[data-vitrine-transfer="${way}"]`);

async function open(page: Page, site: string): Promise<void> {
  await page.goto(`${host.origin}/${site}/page`);
  await shown(page);
}

const store = (): string => path.join(data, 'services/files');

/** Files of the store that have bytes of people. */
function storedFiles(): string[] {
  return !existsSync(store()) ? [] : readdirSync(store()).filter((name) => /^[\da-f]{32}/.test(name));
}

/** Cells and services, which run the same program. */
const programs = (): number[] =>
  descendants(host.pid)
    .filter(({ command, pid }) => command.includes('cell.mjs') && isRunning(pid))
    .map(({ pid }) => pid);

/** Whether a process has a file of the store open. */
function hasStoreOpen(pid: number): boolean {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return ''; // closed meanwhile
      }
    });
    return files.some((file) => file.startsWith(store()));
  } catch {
    return false;
  }
}

/** Waits until a file service that has ended is there again. */
async function servesAgain(page: Page): Promise<void> {
  const metrics = async (): Promise<string> => (await page.request.get(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^vitrine_faults_total\{from="plugin",code="service-ended"\} 1$/m);
  await expect.poll(metrics).toMatch(/^vitrine_services 1$/m);
}

/** The file service, once it stores something. */
async function fileService(): Promise<number> {
  let found = NaN; // never 0, which names a whole group
  await expect
    .poll(() => {
      found = programs().find(hasStoreOpen) ?? NaN;
      return found;
    })
    .not.toBeNaN();
  return found;
}

/** Files below the data folder that have the secret in plain. */
function plainFiles(): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      try {
        return readFileSync(file).includes(MARK);
      } catch {
        return false; // it has gone meanwhile
      }
    });
}

async function nothingIsLeft(): Promise<void> {
  const found = (): unknown => {
    try {
      return plainFiles();
    } catch (thrown) {
      return String(thrown); // a folder has gone meanwhile
    }
  };
  await expect.poll(found).toEqual([]);
  await expect.poll(storedFiles).toEqual([]);
}

async function beginDownload(page: Page): Promise<void> {
  await view(page).locator('#slow').click();
  await expect(rowOf(page, 'down')).toHaveAttribute('data-state', 'receiving');
  await expect.poll(storedFiles).toHaveLength(1);
}

test('a download fails with the file service, and nothing of it is left', async ({ page, site }) => {
  await open(page, site.origin);
  await beginDownload(page);
  const service = await fileService();
  process.kill(service, 'SIGKILL');
  await expect(rowOf(page, 'down')).toHaveAttribute('data-state', 'failed');
  await nothingIsLeft();
  await expect.poll(() => isRunning(service)).toBe(false);

  // The next one is there for what comes.
  await servesAgain(page);
  site.on('/slow', (_request, response) => {
    response.writeHead(200, { 'content-disposition': SLOW, 'cache-control': 'no-store' }).end('whole');
  });
  const [download] = await Promise.all([page.waitForEvent('download'), view(page).locator('#slow').click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('whole');
});

test('transfers fail with the cell, and nothing of them is left', async ({ page, site }) => {
  await open(page, site.origin);
  await beginDownload(page);
  const service = await fileService();
  const cells = programs().filter((pid) => pid !== service); // the person's, and one that waits for another person
  for (const pid of cells) process.kill(pid, 'SIGKILL');
  await nothingIsLeft();
  await expect.poll(() => cells.filter(isRunning)).toEqual([]);
  expect(isRunning(service)).toBe(true);
  await expect(rowOf(page, 'down')).toHaveAttribute('data-state', 'failed');
  await expect(rowOf(page, 'down')).toContainText('The session has ended');
  await page.getByRole('button', { name: 'Remove slow.bin' }).click();
  await expect(rowOf(page, 'down')).toHaveCount(0);
});

test('uploads of a session that is over are listed as failed', async ({ page, site }) => {
  await open(page, site.origin);
  // As a document of that session has left it.
  await page.evaluate(() => {
    const items = [{ name: 'lost.bin', count: 1, size: 5 }];
    sessionStorage.setItem('vitrine-unfinished-uploads', JSON.stringify({ cid: '#another', items }));
  });
  await page.reload();
  await shown(page);
  await expect(rowOf(page, 'up')).toHaveAttribute('data-state', 'failed');
  await expect(rowOf(page, 'up')).toContainText('The session has ended');
});
