import path from 'node:path';
import type { FrameLocator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { awaited, openView, page, received, useView, VIEW } from '../../../core/testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

const MAP = '<div data-node="5" style="width:200px;height:100px"></div>';
const SCROLLER =
  '<div data-node="6" id="box" style="width:200px;height:100px;overflow:auto"><p style="height:400px">text</p></div>';

/** Turns the wheel over the scroller, which is at `top`, at a moment in ms. Answers with how often the page has heard of the wheel by then. */
async function turn(frame: FrameLocator, top: number, ...moments: readonly number[]): Promise<number> {
  await frame.locator('#box').evaluate(
    (box, [scrollTop, at]) => {
      box.scrollTop = scrollTop;
      for (const value of at) {
        const event = new WheelEvent('wheel', { deltaY: 10, bubbles: true });
        box.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value }));
      }
    },
    [top, moments] as const,
  );
  return (await received('CM-wheel')).length;
}

describe('the wheel', () => {
  it('[R-092] says deltas, wheel deltas, whether it was handled, and the modifiers', async () => {
    await openView(MAP);
    await page.mouse.move(VIEW.x + 20, VIEW.y + 30);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(-30, 120);
    const [message] = await awaited('CM-wheel', 1);
    expect(message).toEqual({
      target: { frame: 7, node: 5, x: 20, y: 30 },
      delta_x: -30,
      delta_y: 120,
      wheel_delta_x: 120, // a notch, as Chromium makes one of it
      wheel_delta_y: -120,
      handled: false,
      modifiers: INPUT_FLAGS.shift,
    });
  });

  it('[S-160] counts a line as 40 px, and a page as what is seen of it', async () => {
    const frame = await openView(MAP);
    await frame.locator('div').evaluate((element) => {
      for (const deltaMode of [0, 1, 2])
        element.dispatchEvent(new WheelEvent('wheel', { deltaX: 1, deltaY: 3, deltaMode, bubbles: true }));
    });
    const messages = await awaited('CM-wheel', 3);
    expect(messages.map(({ delta_x, delta_y }) => [delta_x, delta_y])).toEqual([
      [1, 3],
      [40, 120],
      [400, 1200],
    ]);
  });

  it('scrolls by itself what can scroll, tells the offset, and leaves zooming to the person’s browser', async () => {
    const frame = await openView(SCROLLER);
    await page.mouse.move(VIEW.x + 20, VIEW.y + 30);
    await page.mouse.wheel(0, 120);
    await expect.poll(async () => (await received('scroll-and-scale')).at(-1)).toMatchObject({ left: 0, top: 120 });
    await frame
      .locator('#box')
      .evaluate((box) => box.dispatchEvent(new WheelEvent('wheel', { deltaY: -9000, ctrlKey: true, bubbles: true })));
    expect(await received('CM-wheel')).toEqual([]);
  });

  it('[R-121] stays with what it has begun to scroll until it has rested for 100 ms, at most for 5 s', async () => {
    const frame = await openView(SCROLLER);
    const end = 1000; // beyond the last offset
    expect(await turn(frame, 0, 10_000)).toBe(0);
    expect(await turn(frame, end, 10_050, 10_150)).toBe(0);
    expect(await turn(frame, end, 10_251)).toBe(1);
    expect(await turn(frame, 0, 20_000)).toBe(1);
    const on = Array.from({ length: 50 }, (_each, index) => 20_100 + index * 100);
    expect(await turn(frame, end, ...on)).toBe(1);
    expect(await turn(frame, end, 25_001)).toBe(2);
  });

  it('[R-077] reports a wheel whose target is none of the page as tc-wheel-event-error', async () => {
    const frame = await openView('<div data-outside style="height:50px"></div>');
    await frame
      .locator('div')
      .evaluate((element) => element.dispatchEvent(new WheelEvent('wheel', { deltaY: 10, bubbles: true })));
    expect(await page.evaluate(() => window.input.reported)).toEqual([
      ['tc-wheel-event-error', { plugin: 'wheel', version: '1.0.0', variant: 'default' }, { level: 'error' }],
    ]);
    expect(await received('CM-wheel')).toEqual([]);
  });
});
