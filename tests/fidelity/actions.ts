import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { Action } from './corpus.ts';

/** Steps of a drag between press and release. */
const DRAG_STEPS = 8;

/** Makes the actions as a person would, with the browser's own mouse and keyboard. */
export async function act(page: Page, actions: readonly Action[]): Promise<void> {
  for (const action of actions) await actOnce(page, action);
}

async function actOnce({ mouse, keyboard }: Page, action: Action): Promise<void> {
  switch (action[0]) {
    case 'move':
      return mouse.move(action[1], action[2]);
    case 'click':
      return mouse.click(action[1], action[2]);
    case 'press':
      return keyboard.press(action[1]);
    case 'wait':
      return delay(action[1]);
    case 'drag': {
      const [, fromX, fromY, toX, toY] = action;
      await mouse.move(fromX, fromY);
      await mouse.down();
      await mouse.move(toX, toY, { steps: DRAG_STEPS });
      await mouse.up();
    }
  }
}
