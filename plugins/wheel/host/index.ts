import type { ActivateHost } from '../../../host/plugin.ts';
import { cdpModifiers } from '../../../core/protocol/input-flags.ts';
import { wheel } from '../protocol.ts';

/** Turns the wheel in the page. */
export const activate: ActivateHost = ({ commands, input }) => {
  commands.handle(wheel, ({ target, handled, delta_x: deltaX, delta_y: deltaY, modifiers }) => {
    void input.enqueue(async (turn) => {
      if (handled) return; // the offset has come by itself
      const place = await input.place(target);
      if (!place) return;
      const { session, x, y } = place;
      const at = { x, y, deltaX, deltaY, modifiers: cdpModifiers(modifiers) };
      void turn.send('Input.dispatchMouseEvent', { ...at, type: 'mouseWheel', pointerType: 'mouse' }, { session });
    });
  });
};
