import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { awaited, openView, page, received, useView, VIEW } from '../../../core/testing/view-page.ts';

useView(path.join(import.meta.dirname, 'view-entry.ts'));

const BOX =
  '<div data-node="5" style="position:absolute;left:100px;top:50px;width:200px;height:100px;background:#ccc"></div>';
const SELECT =
  '<select data-node="8" style="position:absolute;left:0;top:200px;width:100px;height:30px"><option>one</select>';
const presses = async (): Promise<unknown[]> =>
  (await received('CM-mouse')).flatMap(({ type, button }) =>
    type === 'move' ? [] : [`${type as string} ${button as string}`],
  );

describe('the mouse', () => {
  it('[R-092] says frame, type, place on the screen and in the frame, button, modifiers, clicks and movement', async () => {
    await openView(BOX);
    await page.evaluate(() => {
      const view = document.querySelector<HTMLIFrameElement>('#view')?.contentDocument;
      view?.addEventListener('mousemove', ({ screenX, screenY }) => {
        document.title = `${screenX} ${screenY}`;
      });
    });
    await page.mouse.move(VIEW.x + 120, VIEW.y + 70);
    await awaited('CM-mouse', 1);
    await page.mouse.move(VIEW.x + 130, VIEW.y + 90);
    const moves = await awaited('CM-mouse', 2);
    await page.mouse.dblclick(VIEW.x + 130, VIEW.y + 90);
    const all = (await awaited('CM-mouse', 6)).filter(({ type }) => type !== 'move');
    const [screen_x = 0, screen_y = 0] = (await page.title()).split(' ').map(Number);
    expect(screen_x).toBeGreaterThanOrEqual(VIEW.x + 130); // the window lies somewhere on the screen
    expect(screen_y).toBeGreaterThanOrEqual(VIEW.y + 90);
    const at = { target: { frame: 7, node: 5, x: 130, y: 90 }, screen_x, screen_y };
    expect(moves.at(-1)).toEqual({
      ...at,
      type: 'move',
      button: 'none',
      modifiers: 0,
      click_count: 0,
      movement_x: 10,
      movement_y: 20,
    });
    const press = { ...at, button: 'left', movement_x: 0, movement_y: 0 };
    expect(all).toEqual([
      { ...press, type: 'down', modifiers: INPUT_FLAGS.left, click_count: 1 },
      { ...press, type: 'up', modifiers: 0, click_count: 1 },
      { ...press, type: 'down', modifiers: INPUT_FLAGS.left, click_count: 2 },
      { ...press, type: 'up', modifiers: 0, click_count: 2 },
    ]);
  });

  it('flags the buttons and keys that are held with the bits of the specification', async () => {
    await openView(BOX);
    await page.mouse.move(VIEW.x + 120, VIEW.y + 70);
    for (const button of ['left', 'right', 'middle'] as const) {
      await page.mouse.down({ button });
      await page.mouse.up({ button });
    }
    for (const key of ['Shift', 'Control', 'Alt', 'Meta']) {
      await page.keyboard.down(key);
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up(key);
    }
    await page.locator('#view').evaluate((view: HTMLIFrameElement) => {
      for (const [button, buttons] of [
        [3, 8],
        [4, 16],
      ])
        view.contentDocument?.body.dispatchEvent(
          new MouseEvent('mousedown', { button: button ?? 0, buttons: buttons ?? 0, bubbles: true }),
        );
    });
    await expect.poll(async () => (await presses()).length).toBe(16);
    const downs = (await received('CM-mouse')).filter(({ type }) => type === 'down');
    expect(downs.map(({ modifiers }) => modifiers)).toEqual([1, 2, 4, 1 + 32, 1 + 64, 1 + 128, 1 + 256, 8, 16]);
  });

  it('[R-119] gathers movement for 10 ms, and sends the last place alone', async () => {
    const frame = await openView(BOX);
    const places = async (): Promise<number[]> =>
      (await received('CM-mouse')).map(({ target }) => (target as { x: number }).x); // its schema says so
    const move = (...all: number[]): Promise<void> =>
      frame.locator('body').evaluate((body, xs) => {
        for (const clientX of xs)
          body.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY: 5, bubbles: true }));
      }, all);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await move(...Array.from({ length: 20 }, (_, at) => at + 1));
    await page.clock.runFor(9);
    await move(21);
    expect(await places()).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(places).toEqual([21]);
    await move(30);
    await page.clock.runFor(9);
    expect(await places()).toEqual([21]);
    await page.clock.runFor(1);
    await expect.poll(places).toEqual([21, 30]);
  });

  it('sends movement before the press that ends it, without waiting', async () => {
    const frame = await openView(BOX);
    const types = await frame.locator('body').evaluate(async (body) => {
      for (const type of ['mousemove', 'mousedown', 'mouseup'])
        body.dispatchEvent(new MouseEvent(type, { clientX: 5, clientY: 5, bubbles: true }));
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))));
      return window.parent.input.received.map(([, { type }]) => type);
    });
    expect(types).toEqual(['move', 'down', 'up']);
  });

  it('[S-093] acts by itself on clicks of the left button only: others are the page’s, also on a select list', async () => {
    await openView(SELECT);
    await page.mouse.click(VIEW.x + 20, VIEW.y + 210);
    expect(await awaited('input.focus', 1)).toEqual([{ target: { frame: 7, node: 8, x: 20, y: 210 } }]);
    expect(await presses()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.mouse.click(VIEW.x + 20, VIEW.y + 210, { button: 'right' });
    await page.mouse.click(VIEW.x + 20, VIEW.y + 210, { button: 'middle' });
    await expect.poll(presses).toEqual(['down right', 'up right', 'down middle', 'up middle']);
    expect(await received('input.focus')).toHaveLength(1);
  });

  it('[C1] tells of a finger that slides a control, which presses no button there', async () => {
    const frame = await openView('<input type="range" data-node="6" style="width:200px"><input data-node="7">');
    await frame.locator('body').evaluate((body) => {
      for (const [selector, pointerType] of [
        ['[data-node="6"]', 'mouse'],
        ['[data-node="7"]', 'touch'],
        ['[data-node="6"]', 'touch'],
      ] as const)
        body.querySelector(selector)?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType }));
    });
    expect(await awaited('input.focus', 1)).toEqual([{ target: { frame: 7, node: 6, x: 0, y: 0 } }]);
  });

  it('leaves links that are to open in a tab to navigation', async () => {
    await openView('<a href="https://site.test/" style="display:block;height:40px">link</a>');
    await page.mouse.move(VIEW.x + 10, VIEW.y + 10);
    await page.mouse.down({ button: 'middle' });
    await page.mouse.up({ button: 'middle' });
    await page.keyboard.down('Control');
    await page.mouse.down();
    await page.mouse.up();
    await page.keyboard.up('Control');
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(presses).toEqual(['down left', 'up left']);
  });

  it('ends wherever it is let go what the page knows of, and nothing else', async () => {
    const frame = await openView(`${BOX}${SELECT}<a href="#" style="position:absolute;left:300px;top:300px">link</a>`);
    await frame.locator('body').evaluate((body) => {
      const at = (selector: string, type: string, ctrlKey = false): boolean | undefined =>
        body.querySelector(selector)?.dispatchEvent(new MouseEvent(type, { bubbles: true, ctrlKey }));
      at('div', 'mousedown');
      at('select', 'mouseup');
      at('div', 'mousedown');
      at('a', 'mouseup', true);
      at('select', 'mousedown');
      at('div', 'mouseup');
    });
    await expect.poll(presses).toEqual(['down left', 'up left', 'down left', 'up left']);
  });

  it('[R-088] reports presses that the page does not hear of, and whether the browser vouches for them', async () => {
    const frame = await openView(`${SELECT}<a href="https://site.test/" style="display:block;height:40px">link</a>`);
    await frame
      .locator('select')
      .evaluate((element) => element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
    await page.mouse.click(VIEW.x + 10, VIEW.y + 10, { button: 'middle' });
    expect(await awaited('report-user-action', 2)).toEqual([
      { action: 'picker', flag: false },
      { action: 'link-tab', flag: true },
    ]);
    expect(await presses()).toEqual([]);
  });

  it('[R-071] reports no press of the right button, nor with keys that open no tabs, as one that opens a tab', async () => {
    const area = '<map><area href="https://site.test/"></map>';
    const frame = await openView(`<a href="https://site.test/" style="display:block;height:40px">link</a>${area}`);
    interface Init {
      readonly button?: number;
      readonly altKey?: boolean;
      readonly metaKey?: boolean;
      readonly ctrlKey?: boolean;
      readonly shiftKey?: boolean;
    }
    const press = (init: Init, on = 'a'): Promise<void> =>
      frame.locator(on).evaluate((link, given) => {
        for (const type of ['mousedown', 'mouseup'])
          link.dispatchEvent(new MouseEvent(type, { bubbles: true, ...given }));
      }, init);
    for (const init of [{}, { altKey: true }, { metaKey: true }, { button: 2, ctrlKey: true }]) await press(init);
    await expect
      .poll(presses)
      .toEqual([...Array<string[]>(3).fill(['down left', 'up left']).flat(), ...['down right', 'up right']]);
    expect(await received('report-user-action')).toEqual([]);
    await page.evaluate(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
    for (const init of [{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { button: 1 }]) await press(init);
    await press({ button: 1 }, 'area');
    await awaited('report-user-action', 5);
    expect(await presses()).toHaveLength(8);
  });

  it('says when the pointer leaves, and nothing once input is stopped', async () => {
    await openView(BOX);
    await page.mouse.move(VIEW.x + 120, VIEW.y + 70);
    await awaited('CM-mouse', 1);
    await page.mouse.move(5, 5);
    await expect.poll(presses).toEqual(['leave none']);
    const count = await page.evaluate(async () => {
      const { input } = window;
      const before = input.received.length;
      input.start()(); // a second one, ended at once, leaves nothing behind
      const view = document.querySelector<HTMLIFrameElement>('#view')?.contentDocument;
      view?.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return input.received.length - before;
    });
    expect(count).toBe(1);
  });
});
