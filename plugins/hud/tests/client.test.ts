import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser()]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script);
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(PATIENCE_MS); // from here the test controls the time
  await page.evaluate(() => window.startHud());
  return () => page.close();
});

const press = (letter: string): Promise<void> => page.keyboard.press(`Control+Shift+${letter}`);
const panel = (): Locator => page.getByRole('region', { name: 'Debug HUD' });

/** Advances the time until the expected state is reached: React renders lazy parts after a delay. */
async function until(look: () => Promise<unknown>, what: unknown): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(50);
      return look();
    })
    .toEqual(what);
}

async function showPanel(): Promise<void> {
  await press('H');
  await until(() => panel().count(), 1);
}

describe('the debug HUD', () => {
  it('[R-014] is hidden until Ctrl+Shift+H, and has a graph for each figure', async () => {
    await page.clock.runFor(500);
    expect(await panel().count()).toBe(0);
    await showPanel();
    expect(await panel().locator('span').allTextContents()).toEqual([
      'Commits/s',
      'Frames/s',
      'Surrogate frames/s',
      'Commit queue',
      'Data, kB/s',
      'Canvases, MB',
      'Nodes',
      'Mutations/s',
      'Drawing, ms/frame',
    ]);
    await press('H');
    await until(() => panel().count(), 0);
  });

  it('[R-014] shows the values of the renderer, the channel and the surrogate', async () => {
    const value = (name: string): Promise<string | null> =>
      panel().getByRole('status', { name, exact: true }).textContent();
    await showPanel();
    await page.evaluate(() => {
      const rest = { drawingMs: 0, queued: 3, nodes: 1234, canvasBytes: 2_500_000 };
      setInterval(() => {
        const { commits, mutations } = window.readings;
        window.readings = { commits: commits + 2, mutations: mutations + 50, ...rest };
      }, 100);
    });
    await page.clock.runFor(3000);
    expect(await value('Commits/s')).toBe('20');
    expect(await value('Mutations/s')).toBe('500');
    await until(() => value('Surrogate frames/s'), '42');
    await page.evaluate(() => (window.isStill = true));
    await until(() => value('Surrogate frames/s'), '0');
    expect(await value('Commit queue')).toBe('3');
    expect(await value('Canvases, MB')).toBe('2.5');
    expect(await value('Nodes')).toBe('1234');
    expect(await value('Drawing, ms/frame')).toBe('0');
    expect(Number(await value('Frames/s'))).toBeGreaterThan(0);
  });

  it('[R-133] advances every 100 ms, and keeps 70 columns of 30 px', async () => {
    /** The graph of nodes: number of columns with a bar, and height of the last one. */
    const bars = (): Promise<unknown> =>
      panel()
        .locator('canvas')
        .nth(6)
        .evaluate((canvas: HTMLCanvasElement) => {
          const { width, height } = canvas;
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
          const heights = Array.from(
            { length: width },
            (_x, x) => Array.from({ length: height }, (_y, y) => data[(y * width + x) * 4 + 3]).filter(Boolean).length,
          );
          return { width, height, columns: heights.filter(Boolean).length, last: heights.at(-1) };
        });
    const setNodes = (nodes: number): Promise<void> =>
      page.evaluate((count) => {
        window.readings = { ...window.readings, nodes: count };
      }, nodes);
    await showPanel();
    expect(await bars()).toEqual({ width: 70, height: 30, columns: 0, last: 0 });
    await setNodes(10);
    await page.clock.runFor(1000);
    expect(await bars()).toEqual({ width: 70, height: 30, columns: 10, last: 30 });
    await page.clock.runFor(10_000);
    expect(await bars()).toMatchObject({ columns: 70, last: 30 });
    await setNodes(5);
    await page.clock.runFor(100);
    expect(await bars()).toMatchObject({ columns: 70, last: 15 });
  });

  it('measures nothing while it is hidden, and is removed with its plugin', async () => {
    const reads = async (): Promise<number> => {
      const before = await page.evaluate(() => window.reads);
      await page.clock.runFor(1000);
      return (await page.evaluate(() => window.reads)) - before;
    };
    expect(await reads()).toBe(0);
    await showPanel();
    expect(await reads()).toBe(10);
    await press('H');
    expect(await reads()).toBe(0);
    await showPanel();
    await page.evaluate(() => window.hud.disposeClient());
    await until(() => panel().count(), 0);
    await press('H');
    expect(await reads()).toBe(0);
    expect(await panel().count()).toBe(0);
  });
});

it('[R-014] outlines frames, and the element under the pointer, on Ctrl+Shift+Y', async () => {
  const labels = (): Promise<string[]> => page.locator('#vitrine-hud-page span').allTextContents();
  await press('Y');
  await until(labels, ['frame 1, 1280 x 720']);
  await page.mouse.move(100, 100);
  await until(labels, ['frame 1, 1280 x 720', 'frame 1, node 7']);
  const boxes = page.locator('#vitrine-hud-page > div');
  expect(await boxes.first().boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 720 });
  expect(await boxes.last().boundingBox()).toEqual({ x: 10, y: 20, width: 30, height: 40 });
  await page.evaluate(() => window.leaveFrame());
  await until(labels, ['frame 1, node 7']);
  await press('Y');
  await until(() => page.locator('#vitrine-hud-page').count(), 0);
});

it('[R-004] shows the page without video, scrollbars and what is shown beside it on Ctrl+Shift+X', async () => {
  await page.evaluate(() => window.fillShell());
  const seen = (): Promise<boolean[]> =>
    Promise.all(['A bar', 'A notice', 'The page is silent'].map((text) => page.getByText(text).isVisible()));
  await until(seen, [true, true, true]);
  const bare = (): Promise<boolean[]> => page.evaluate(() => window.bare);
  await press('X');
  await until(bare, [true]);
  expect(await seen()).toEqual([false, false, false]);
  await press('X');
  await until(bare, [true, false]);
  expect(await seen()).toEqual([true, true, true]);
  await press('X');
  await until(bare, [true, false, true]);
  await page.evaluate(() => window.hud.disposeClient());
  await until(bare, [true, false, true, false]);
});

it('[R-014] keeps debug keys from the page, and no others', async () => {
  for (const keys of ['Control+Shift+H', 'Control+H', 'Shift+H', 'Control+Shift+K', 'Control+Shift+Alt+H'])
    await page.keyboard.press(keys);
  const received = await page.evaluate(() => window.received.filter((each) => / .$/.test(each)));
  expect(received).toEqual(['H', 'H', 'K', 'H'].flatMap((key) => [`keydown ${key}`, `keyup ${key}`]));
});
