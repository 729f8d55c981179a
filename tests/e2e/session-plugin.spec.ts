import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { sample } from '../fixtures/parcel/mask.ts';
import { descendants } from './support/processes.ts';
import { startHost } from '../fidelity/host.ts';
import type { RunningHost } from '../fidelity/host.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const MEBIBYTE = 1024 * 1024;

test.use({ samePerson: false });

/** The host of all tests of this file; each of them is another person. */
let host: RunningHost;
let running: RunningHost | undefined;
/** Data folder of the host. */
const dataOf = (folder: string): string => path.join(folder, 'session-plugin');

test.beforeEach(async ({ site, folder }) => {
  site.on('/page', '<!doctype html><title>Page</title><p>text<input id="field">');
  const plugin = path.resolve(import.meta.dirname, '../fixtures/parcel');
  const options = ['--plugins', plugin, '--parcel-max-size', '16'];
  running ??= await startHost({ allow: [`127.0.0.1:${site.port}`], options, data: dataOf(folder) });
  host = running;
});
test.afterAll(() => running?.stop());

async function open(page: Page, site: string): Promise<Locator> {
  await page.goto(`${host.origin}/${site}/page`);
  await shown(page);
  const panel = page.locator('#vitrine-overlay').getByRole('region', { name: 'Parcel' });
  await expect(panel).toBeVisible();
  // The thread of the session half may still be starting.
  await expect.poll(async () => (await get(page, '/r/parcel/state')).status).toBe(200);
  return panel;
}

async function act(panel: Locator, action: string, outcome: string | RegExp): Promise<void> {
  await panel.getByRole('button', { name: action }).click();
  await expect(panel.locator('output')).toHaveText(outcome);
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Asks a route from the shell's page, as a client half does. */
const get = (page: Page, address: string, init: { readonly method?: string; readonly body?: string } = {}) =>
  page.evaluate(
    async ([url, given]): Promise<Answered> => {
      const answer = await fetch(url, given);
      return { status: answer.status, body: await answer.text() };
    },
    [address, init] as const,
  );

/** Fails with the code that an error answer has. */
const codeOf = ({ status, body }: Answered): string =>
  `${status} ${(JSON.parse(body) as { code?: string }).code ?? ''}`;

/** Sends bytes to the route that keeps them; answers with what it says. */
const post = (page: Page, bytes: Buffer) =>
  page.request.post(`${host.origin}/r/parcel`, {
    data: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });

test('a plugin from outside gets bytes and streams through its host half, as they were sent and only as they are read', async ({
  page,
  site,
}) => {
  const panel = await open(page, site.origin);
  await act(panel, 'Bytes', '3000000 bytes, as sent');

  await act(panel, 'Stream', 'waiting');
  const given = async (): Promise<number> => Number(await panel.getByRole('meter').getAttribute('value'));
  let last = -1;
  await expect
    .poll(
      async () => {
        const now = await given();
        const isStill = now === last;
        last = now;
        return isStill && now > 0;
      },
      { intervals: [1500] },
    )
    .toBe(true);
  // The windows between client, cell and thread, there and back; not the 12 MiB of the whole.
  expect(last).toBeLessThan(6 * MEBIBYTE);
  await act(panel, 'Read', `${12 * MEBIBYTE} bytes of a stream, as sent`);
});

test('a plugin from outside gets bytes and streams through its page half, in the surrogate, and back', async ({
  page,
  site,
}) => {
  await act(await open(page, site.origin), 'Page', 'bytes as sent, stream as sent');
});

test('a plugin from outside has options, counters, event files and flags of the surrogate', async ({
  page,
  site,
  folder,
}) => {
  await open(page, site.origin);
  const file = Buffer.from(sample(5 * MEBIBYTE, 7)); // more than the fallback of the option
  expect((await post(page, file)).status()).toBe(201);
  const metrics = async (): Promise<string> => (await page.request.get(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^vitrine_plugin_parcel_parcels_total 1$/m);
  expect(await metrics()).toMatch(new RegExp(`^vitrine_plugin_parcel_bytes_total ${file.length}$`, 'm'));
  const events = (): Promise<string> => readFile(path.join(dataOf(folder), 'events/parcel.kept.jsonl'), 'utf8');
  await expect.poll(() => events().catch(() => '')).toMatch(/\n$/);
  const line = { at: expect.any(String), person: expect.any(String), tenant: 'default', event: { bytes: file.length } };
  expect(JSON.parse(await events())).toEqual(line);
  const browsers = descendants(host.pid).filter(({ command }) => command.includes('--remote-debugging-pipe'));
  expect(browsers.length).toBeGreaterThan(0);
  for (const { command } of browsers) expect(command).toContain('--disable-speech-api');
});

test('a session half from outside answers its routes, and only to the person whose session it is', async ({
  page,
  browser,
  site,
}) => {
  const panel = await open(page, site.origin);
  expect(codeOf(await get(page, '/r/parcel'))).toBe('404 parcel-missing');

  const file = Buffer.from(sample(4 * MEBIBYTE, 7));
  const kept = await post(page, file);
  expect([kept.status(), await kept.json()]).toEqual([201, { bytes: file.length }]);
  const answer = await page.request.get(`${host.origin}/r/parcel`);
  expect(answer.headers()).toMatchObject({
    'content-disposition': 'attachment; filename=parcel.bin',
    'cache-control': 'no-store',
  });
  expect(Buffer.compare(await answer.body(), file)).toBe(0);

  await act(panel, 'Names', /^\{/);
  const names = new URLSearchParams(JSON.parse((await panel.locator('output').textContent()) ?? '') as object as never);
  const own = await get(page, `/r/parcel/tab?${names}`);
  expect([own.status, JSON.parse(own.body)]).toEqual([200, { url: `${site.origin}/page` }]);
  const state = JSON.parse((await get(page, '/r/parcel/state')).body) as Record<string, unknown>;
  expect(state).toMatchObject({ opened: [`${site.origin}/page`], tabs: [`${site.origin}/page`] });

  const other = await (await browser.newContext()).newPage();
  expect((await other.request.get(`${host.origin}/r/parcel`)).status()).toBe(404);
  await open(other, site.origin);
  expect(codeOf(await get(other, '/r/parcel'))).toBe('404 parcel-missing');
  expect(codeOf(await get(other, `/r/parcel/tab?${names}`))).toBe('404 session-not-found');
  await other.context().close();

  expect((await post(page, Buffer.alloc(16 * MEBIBYTE + 1))).status()).toBe(413);
  expect((await get(page, '/r/parcel')).status).toBe(200);
});

test('a large answer of a route is made only as fast as the browser takes it', async ({ page, site }) => {
  await open(page, site.origin);
  expect((await post(page, Buffer.from(sample(4 * MEBIBYTE, 7)))).status()).toBe(201);
  const sent = async (): Promise<number> =>
    (JSON.parse((await get(page, '/r/parcel/state')).body) as { readonly sent: number }).sent;
  await page.evaluate(async () => {
    const answer = await fetch('/r/parcel?copies=64');
    const reader = answer.body?.getReader();
    await reader?.read();
    Reflect.set(globalThis, 'parcelReader', reader);
  });
  /** Bytes that have been sent, once no more are. */
  const sentAtRest = async (): Promise<number> => {
    let [last, times] = [-1, 0];
    const isAtRest = async (): Promise<boolean> => {
      const now = await sent();
      times = now === last && now > 0 ? times + 1 : 0;
      last = now;
      return times === 5;
    };
    await expect.poll(isAtRest, { intervals: [1000] }).toBe(true);
    return last;
  };
  const ahead = await sentAtRest();
  expect(ahead).toBeLessThan(64 * MEBIBYTE);
  // The browser takes as much again, and it goes on.
  await page.evaluate(async (bytes) => {
    const reader = Reflect.get(globalThis, 'parcelReader') as ReadableStreamDefaultReader<Uint8Array>;
    for (let taken = 0; taken < bytes;) taken += (await reader.read()).value?.length ?? bytes;
  }, ahead);
  await expect.poll(sent).toBeGreaterThan(ahead);
  const further = await sentAtRest();
  expect(further).toBeLessThan(ahead + 64 * MEBIBYTE);
  await page.evaluate(() => (Reflect.get(globalThis, 'parcelReader') as ReadableStreamDefaultReader).cancel());
  expect(await sentAtRest()).toBeLessThan(further + 4 * MEBIBYTE);
});

test('halves from outside that throw or flood answer with an error, and the session goes on', async ({
  page,
  site,
}) => {
  const panel = await open(page, site.origin);
  const field = view(page).locator('#field');
  await field.click();
  await page.keyboard.type('before, ');
  await expect(field).toHaveValue('before, ');
  await act(panel, 'Throw', 'parcel-torn');
  const broken = { method: 'POST', body: '' };
  expect(await get(page, '/r/parcel/break', broken)).toEqual({
    status: 500,
    body: JSON.stringify({ code: 'internal', message: 'The host failed to answer.' }),
  });
  expect((await get(page, '/r/parcel/state')).status).toBe(200);

  expect(codeOf(await get(page, '/r/parcel/break?how=flood', broken))).toBe('503 plugin-unavailable');
  expect(codeOf(await get(page, '/r/parcel/state'))).toBe('503 plugin-unavailable');
  await act(panel, 'Bytes', '3000000 bytes, as sent'); // the host half runs by itself

  await panel.getByRole('button', { name: 'Flood' }).click();
  await expect(panel).toBeHidden(); // the plugin is withdrawn from the tab
  await field.click();
  await page.keyboard.press('End');
  await page.keyboard.type('still here');
  await expect(field).toHaveValue('before, still here'); // another session would have lost it
  const metrics = async (): Promise<string> => (await page.request.get(`${host.origin}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^vitrine_faults_total\{from="plugin",code="plugin-flood"\} 2$/m);
  expect(await metrics()).not.toContain('from="plugin",code="internal"');
});
