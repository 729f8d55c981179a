import type { ActivateHost } from '../../../host/plugin.ts';
import { pageSelection, selection } from '../protocol.ts';
import type { Why } from '../protocol.ts';

/**
 * Takes the person's selection to the page in its turn, after the keys and presses before it. It is no act by which a page may ask for
 * anything.
 */
export const activate: ActivateHost = ({ commands, input, page }) => {
  commands.handle(selection, async ({ frame, selected }) => {
    let why: Why = 'frame';
    await input.enqueue(async () => {
      ({ why } = await page.call(frame, pageSelection, { selected }));
    });
    return { why };
  });
};
