import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleScript, openBrowser, openScript } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type {} from './shell-entry.ts';

const VIEW =
  '<!doctype html><body style="margin:0"><iframe id="view" sandbox="allow-same-origin" srcdoc="<p>page" style="position:fixed;left:40px;top:60px;width:400px;height:300px;border:0"></iframe>';

let browser: TestBrowser;
let script: string;
let page: Page;
beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'shell-entry.ts');
  // The headless shell moves a locked pointer by itself.
  [script, browser] = await Promise.all([bundleScript(entry), openBrowser('whole')]);
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await openScript(browser, script, VIEW);
  return () => page.close();
});

const received = (): Promise<readonly (readonly [string, unknown])[]> =>
  page.evaluate(async () => {
    await window.lockShell.flush();
    return window.lockShell.received;
  });
const isLocked = (): Promise<boolean> => page.evaluate(() => document.pointerLockElement === document.documentElement);

/** Acts in the view, and has the pointer locked for a request. */
async function lock(id: number): Promise<void> {
  await page.mouse.click(140, 160);
  await page.evaluate((request) => window.lockShell.ask(request), id);
  await expect.poll(received).toContainEqual(['answer', { id }]);
}

describe('the person’s pointer', () => {
  it('is locked after an act in the view, until the page’s lock is over', async () => {
    await lock(1);
    expect(await isLocked()).toBe(true);
    await page.evaluate(() => window.lockShell.over());
    await expect.poll(isLocked).toBe(false);
    expect(await received()).toEqual([['answer', { id: 1 }]]);
  });

  it('is not locked without an act of the person', async () => {
    await page.evaluate(async () => {
      // An evaluation by the test is an act for the browser, for 5 s at most.
      while (navigator.userActivation.isActive) await new Promise(requestAnimationFrame);
      void window.lockShell.ask(1);
    });
    await expect.poll(received).toEqual([['answer', { id: 1, refusal: 'gesture' }]]);
    expect(await isLocked()).toBe(false);
  });

  it('is released when the request was cancelled before the browser has answered', async () => {
    await page.mouse.click(140, 160);
    await page.evaluate(async () => {
      const asked = window.lockShell.ask(1);
      await window.lockShell.over();
      await asked;
    });
    await expect.poll(isLocked).toBe(false);
    expect(await received()).toEqual([]);
  });

  it('reports that the browser has ended its lock, and sends nothing more', async () => {
    await lock(1);
    await page.evaluate(() => document.exitPointerLock());
    await expect.poll(received).toEqual([
      ['answer', { id: 1 }],
      ['left', undefined],
    ]);
    await page.mouse.move(150, 170);
    await page.mouse.click(150, 170);
    expect(await received()).toHaveLength(2);
  });

  it('is released when no more input is taken', async () => {
    await lock(1);
    await page.evaluate(() => window.lockShell.stop());
    await expect.poll(isLocked).toBe(false);
  });

  it.each([
    ['no lock at all', 'undefined', 'unsupported'],
    ['no such option', `() => Promise.reject(new DOMException('', 'NotSupportedError'))`, 'unsupported'],
    ['a person who has just left', `() => Promise.reject(new DOMException('', 'SecurityError'))`, 'exited'],
    [
      'no promises',
      `() => setTimeout(() => document.dispatchEvent(new Event('pointerlockerror'))) && undefined`,
      'denied',
    ],
  ])('is not locked in a browser with %s', async (_what, method, refusal) => {
    await page.evaluate(`Element.prototype.requestPointerLock = ${method}`);
    await page.evaluate(() => window.lockShell.ask(1, true));
    await expect.poll(received).toEqual([['answer', { id: 1, refusal }]]);
  });

  it('is locked with the option that the page has asked for', async () => {
    const options = await page.evaluate(async () => {
      const asked: unknown[] = [];
      Element.prototype.requestPointerLock = async (option) => void asked.push(option);
      await window.lockShell.ask(1, true);
      await window.lockShell.ask(2, false);
      return asked;
    });
    expect(options).toEqual([{ unadjustedMovement: true }, {}]);
  });
});

describe('the mouse under a lock', () => {
  it('[R-092] [R-119] sends the sum of its movement, buttons without waiting, and the wheel', async () => {
    await lock(1);
    await page.evaluate(() => {
      const move = (movementX: number, movementY: number): boolean =>
        document.dispatchEvent(new MouseEvent('mousemove', { movementX, movementY, shiftKey: true }));
      move(5, 1);
      move(-2, 3);
      document.dispatchEvent(new MouseEvent('mousedown', { button: 2, buttons: 2, detail: 2 }));
      move(1, 1);
      document.dispatchEvent(new WheelEvent('wheel', { deltaY: 3, deltaMode: 1, ctrlKey: true }));
      document.dispatchEvent(new MouseEvent('mouseup', { button: 2 }));
    });
    expect((await received()).slice(1)).toEqual([
      ['moved', { movement_x: 3, movement_y: 4, modifiers: 32 }],
      ['pressed', { type: 'down', button: 'right', modifiers: 2, click_count: 2 }],
      ['moved', { movement_x: 1, movement_y: 1, modifiers: 32 }],
      ['turned', { delta_x: 0, delta_y: 120, modifiers: 64 }],
      ['pressed', { type: 'up', button: 'right', modifiers: 0, click_count: 0 }],
    ]);
    await page.mouse.move(147, 155);
    await expect.poll(received).toContainEqual(['moved', { movement_x: 7, movement_y: -5, modifiers: 0 }]);
    // The view hears nothing of all that, and keeps the focus.
    expect(await page.evaluate(() => window.lockShell.heard)).toEqual(['mousedown 0 100 100', 'mouseup 0 100 100']);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('view');
  });

  it('[R-119] sums its movement for 10 ms', async () => {
    await lock(1);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    const move = (movementX: number, movementY: number): Promise<boolean> =>
      page.evaluate(([x, y]) => document.dispatchEvent(new MouseEvent('mousemove', { movementX: x, movementY: y })), [
        movementX,
        movementY,
      ] as const);
    const moved = async (): Promise<unknown[]> => (await received()).slice(1).map(([, params]) => params);
    await move(5, 1);
    await page.clock.runFor(9);
    await move(-2, 3);
    expect(await moved()).toEqual([]);
    await page.clock.runFor(1);
    expect(await moved()).toEqual([{ movement_x: 3, movement_y: 4, modifiers: 0 }]);
    await move(1, 0);
    await page.clock.runFor(9);
    expect(await moved()).toHaveLength(1);
    await page.clock.runFor(1);
    expect(await moved()).toHaveLength(2);
  });

  it('lets a button come up in the view that was pressed there before', async () => {
    await page.mouse.move(140, 160);
    await page.mouse.down();
    await page.evaluate(() => window.lockShell.ask(1));
    await expect.poll(received).toContainEqual(['answer', { id: 1 }]);
    await page.mouse.move(200, 260);
    await page.mouse.up();
    await expect.poll(received).toEqual([
      ['answer', { id: 1 }],
      ['moved', { movement_x: 60, movement_y: 100, modifiers: 1 }],
      ['displaced', undefined],
    ]);
    expect(await page.evaluate(() => window.lockShell.heard)).toEqual(['mousedown 0 100 100', 'mouseup 0 100 100']);
  });
});
