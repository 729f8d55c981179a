import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

/** The banner of the countdown. */
const RELOADING = [expect.stringMatching(/^Reloading the page in [123] s$/)];

let browser: TestBrowser;
let script: string;
let page: Page;
let checks: number;
/** Text of a check's answer, its status, or none. */
let answer: string | number | undefined;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  checks = 0;
  answer = 'go';
  page = await openScript(browser, script);
  await page.route('**/safeview-director/traffic-check', (route) => {
    checks += 1;
    const headers = { 'access-control-allow-origin': 'http://shell.test', 'access-control-allow-credentials': 'true' };
    if (answer === undefined) return route.abort();
    return route.fulfill(
      typeof answer === 'number' ? { status: answer, body: 'go', headers } : { body: answer, headers },
    );
  });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(PATIENCE_MS); // from here the test controls the time
  return () => page.close();
});

const start = (caps: Record<string, unknown> = {}, pairing: object = {}): Promise<void> =>
  page.evaluate(
    async ([capabilities, facts]) => {
      await window.startReconnect({ capabilities, pairing: facts });
    },
    [caps, { origin: 'http://shell.test', ...pairing }] as const,
  );
const lose = (reason: string): Promise<void> =>
  page.evaluate((why) => {
    window.reconnect.clientHooks.detached.call({ reason: why });
  }, reason);
const reloads = (): Promise<readonly string[]> => page.evaluate(() => window.reconnect.reloads);
const events = (): Promise<string[]> => page.evaluate(() => window.reconnect.events.map(({ name }) => name));
const banner = (): Promise<string[]> => page.locator('.vitrine-banner').allTextContents();
const setHidden = (hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

describe('a tab that has lost its session', () => {
  it('[R-056] reloads at once when the host does not know the session', async () => {
    await start();
    await lose('session-not-found');
    await expect.poll(reloads).toEqual(['session-not-found']);
    expect(checks).toBe(0);
    await lose('session-not-found'); // again: no endless reloads
    await page.clock.runFor(2900);
    expect(await reloads()).toHaveLength(1);
  });

  it('[R-056] reloads at once again where the last time was 15 s ago', async () => {
    await start();
    await lose('session-not-found');
    await expect.poll(reloads).toHaveLength(1);
    await page.clock.runFor(15_000);
    await lose('session-not-found');
    await expect.poll(reloads).toHaveLength(2);
    expect(checks).toBe(0);
  });

  it('[R-056][S-148] reloads after 3 s otherwise, once the host accepts tabs', async () => {
    await start();
    await lose('network-error');
    await page.clock.runFor(2999);
    expect([await reloads(), checks]).toEqual([[], 0]);
    await page.clock.runFor(1);
    await expect.poll(reloads).toEqual(['reconnect']);
    expect(await events()).toEqual(['tc-service-check-done']);
  });

  it.each([undefined, 503, 204])('[S-106] [S-148] reports a check that fails (%s), and retries', async (failure) => {
    await start();
    answer = failure;
    await lose('network-error');
    await page.clock.runFor(3000);
    await expect.poll(events).toEqual(['tc-service-check-failed', 'tc-server-call-failed']);
    expect(await page.evaluate(() => window.reconnect.events.at(-1)?.data)).toMatchObject({ label: 'traffic-check' });
    answer = 'go';
    await page.clock.runFor(2000);
    await page.clock.runFor(3000);
    await expect.poll(reloads).toEqual(['reconnect']);
  });

  it('[S-033] [S-148] shows the reconnect error where the host accepts no tabs, and counts down again', async () => {
    await start({ enable_reconnect_banner: true });
    answer = 'wait';
    await lose('network-error');
    const shown = async (): Promise<string[]> => {
      await page.clock.runFor(100);
      return banner();
    };
    await expect.poll(shown).toEqual(RELOADING);
    await expect.poll(shown).toEqual(['The connection could not be restored. Trying again.']);
    expect([await reloads(), checks]).toEqual([[], 1]);
    expect(await events()).toEqual(['tc-service-check-done']); // it has answered
    await expect.poll(shown).toEqual(RELOADING);
    answer = 'go';
    await page.clock.runFor(3000);
    await expect.poll(reloads).toEqual(['reconnect']);
  });

  it('[S-011] [S-077] shows it in a banner only where the capability is on', async () => {
    await start({ enable_reconnect_banner: true });
    await page.clock.runFor(1000); // React renders lazy parts after a delay
    expect(await banner()).toEqual([]);
    await lose('network-error');
    const shown = async (): Promise<string[]> => {
      await page.clock.runFor(100);
      return banner();
    };
    await expect.poll(shown).toEqual(RELOADING);
    for (const sheet of ['ui/tokens.css', 'overlay/docked.css'])
      await page.addStyleTag({ path: path.join(import.meta.dirname, '../../../core', sheet) });
    const look = await page.locator('.vitrine-banner').evaluate((bar) => {
      const { backgroundColor } = getComputedStyle(bar);
      const { position } = getComputedStyle(bar.closest('#vitrine-overlay') ?? bar);
      const { top, left, width, height } = bar.getBoundingClientRect();
      return { position, backgroundColor, top, left, isWide: width === innerWidth, isSmall: height < 40 };
    });
    expect(look).toEqual({
      position: 'fixed',
      backgroundColor: 'rgb(255, 224, 138)',
      top: 0,
      left: 0,
      isWide: true,
      isSmall: true,
    });
    await page.reload();
    await page.evaluate(script);
    await start();
    await lose('network-error');
    const others: string[] = [];
    const reloaded = async (): Promise<readonly string[]> => {
      others.push(...(await shown()));
      return reloads();
    };
    await expect.poll(reloaded).toEqual(['reconnect']);
    expect(others).toEqual([]);
  });

  it('[R-057] stays detached while it is hidden', async () => {
    await start();
    await setHidden(true);
    await lose('session-not-found');
    await page.clock.runFor(60_000);
    expect([await reloads(), checks]).toEqual([[], 0]);
    await setHidden(false);
    await expect.poll(reloads).toEqual(['session-not-found']);
  });

  it('[R-057] stays detached where it is hidden by the time that the host accepts tabs', async () => {
    await start();
    await lose('network-error');
    await page.clock.runFor(1000);
    await setHidden(true);
    await page.clock.runFor(2000);
    await expect.poll(events).toEqual(['tc-service-check-done']);
    await page.clock.runFor(60_000);
    expect([await reloads(), checks]).toEqual([[], 1]);
    await setHidden(false);
    await expect.poll(reloads).toEqual(['reconnect']);
  });

  it('does not reload automatically where that is prevented', async () => {
    await start({}, { reload_allowed: false });
    await lose('session-not-found');
    await page.clock.runFor(60_000);
    expect([await reloads(), checks]).toEqual([[], 0]);
  });
});
