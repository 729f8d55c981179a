import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openBrowser } from '../../testing/script-page.ts';
import type { TestBrowser } from '../../testing/script-page.ts';
import { SessionHost } from './session-host.ts';

export const SITE = '/https://site.test/page?q=1#part';

let browser: TestBrowser;
export let context: BrowserContext;
export let page: Page;
export let host: SessionHost;
export let errors: string[];

/** Opens a page and a host for each test of the calling file. */
export function useSession(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    host = await SessionHost.start();
    context = await browser.newContext({
      viewport: { width: 900, height: 700 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    page = await context.newPage();
    errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(async () => {
    await context.close();
    host.close();
  });
}

export const state = (of: Page = page): Promise<string | undefined> =>
  of.evaluate(() => document.documentElement.dataset['vitrineState']);
/** Text of the error view, if its heading is painted: nothing covers it. */
export const paintedError = (): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const heading = document.querySelector('[role=alert] h1');
    const { left, top, width, height } = heading?.getBoundingClientRect() ?? new DOMRect();
    const painted = document.elementFromPoint(left + width / 2, top + height / 2);
    return heading !== null && painted === heading ? heading.parentElement?.textContent : undefined;
  });
export const until = (what: () => unknown, value: unknown): Promise<void> =>
  expect.poll(what, { interval: 20 }).toEqual(value);
export const sent = (name: string): unknown[] =>
  host.received().flatMap(([each, params]) => (each === name ? [params] : []));

export async function open(path = SITE): Promise<void> {
  await page.goto(host.origin + path);
}

/** Opens a page; the host reports it as loaded. */
export async function openReady(path = SITE): Promise<void> {
  await open(path);
  await until(() => state(), 'loading');
  host.send('load-state', { state: 'ready', url: 'https://site.test/page?q=1#part' });
  await until(() => state(), 'ready');
}
