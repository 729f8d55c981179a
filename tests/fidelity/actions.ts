import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { Screen } from './browser.ts';
import type { Action } from './corpus.ts';

/** Steps of a drag between press and release. */
const DRAG_STEPS = 8;

/**
 * Puts the pointer into the corner, on a display: its own pointer is anywhere over the window, and a page that is opened below it hears of
 * that, one that is shown later in the window does not.
 */
export async function restPointer(page: Page, { headed }: Screen): Promise<void> {
  if (headed) await page.mouse.move(0, 0);
}

/** Performs the actions with the browser's own mouse and keyboard. */
export async function act(page: Page, actions: readonly Action[]): Promise<void> {
  for (const action of actions) await actOnce(page, action);
}

async function actOnce(page: Page, action: Action): Promise<void> {
  switch (action[0]) {
    case 'move':
      return page.mouse.move(action[1], action[2]);
    case 'click':
      return page.mouse.click(action[1], action[2]);
    case 'press':
      return page.keyboard.press(action[1]);
    case 'wait':
      return delay(action[1]);
    case 'drag':
      return drag(page, [action[1], action[2]], [action[3], action[4]]);
  }
}

/** Over CDP: Playwright waits for timers in every frame while a button is down, and without scripts none runs. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const dispatch = async (type: 'mousePressed' | 'mouseReleased' | 'mouseMoved', step: number): Promise<void> => {
    const at = (axis: 0 | 1): number => from[axis] + ((to[axis] - from[axis]) * step) / DRAG_STEPS;
    const buttons = type === 'mouseReleased' ? 0 : 1;
    await session.send('Input.dispatchMouseEvent', {
      type,
      x: at(0),
      y: at(1),
      button: 'left',
      buttons,
      clickCount: 1,
    });
  };
  await page.mouse.move(...from);
  await dispatch('mousePressed', 0);
  for (let step = 1; step <= DRAG_STEPS; step++) await dispatch('mouseMoved', step);
  await dispatch('mouseReleased', DRAG_STEPS);
  await session.detach();
}
