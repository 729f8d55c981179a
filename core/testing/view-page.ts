import type { FrameLocator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { bundleScript, openBrowser, openScript } from './script-page.ts';
import type { TestBrowser } from './script-page.ts';
import type {} from './played-view.ts';

/** Where the view begins in the window, in CSS px. */
export const VIEW = { x: 40, y: 60 };

let browser: TestBrowser;
let script: string;
export let page: Page;

/** Has all tests of a file run in the view that a script opens with `playView`. */
export function useView(entry: string): void {
  beforeAll(async () => {
    [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    expect(await page.evaluate(() => window.input.faults)).toEqual([]);
    await page.close();
  });
}

/** Opens a view that shows `body` and starts input. `prepare` runs before anything of the page. */
export async function openView(body: string): Promise<FrameLocator> {
  const html = `<!doctype html><style>body{margin:0}*{box-sizing:border-box;font:16px/20px monospace}</style>${body}`;
  const frame = `<iframe id="view" style="position:fixed;left:${VIEW.x}px;top:${VIEW.y}px;width:600px;height:400px;border:0" srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>`;
  page = await openScript(browser, script, `<!doctype html><title>Shell</title><div>${frame}</div>`);
  await page.evaluate(() => void window.input.start());
  return page.frameLocator('#view');
}

/** Returns the parameters of all messages of a name that the host has received so far. */
export async function received(name: string): Promise<Readonly<Record<string, unknown>>[]> {
  const all = await page.evaluate(() => window.input.received);
  return all.flatMap(([each, params]) => (each === name ? [params] : []));
}

/** Resolves once the host has received as many messages of a name, and answers with them. */
export async function awaited(name: string, count: number): Promise<Readonly<Record<string, unknown>>[]> {
  await expect.poll(() => received(name).then(({ length }) => length)).toBeGreaterThanOrEqual(count);
  return received(name);
}
