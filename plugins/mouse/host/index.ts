import type { ActivateHost } from '../../../host/plugin.ts';
import { mouse } from '../protocol.ts';
import { Pointer } from './pointer.ts';

/** Moves the pointer in the page and presses its buttons there. */
export const activate: ActivateHost = ({ commands, hooks, input, tab }) => {
  const pointer = new Pointer(input);
  commands.handle(mouse, (event) => {
    const { type, target } = event;
    const isDown = type === 'down';
    const kind = { isMove: type === 'move', isPress: isDown || type === 'up', ...(isDown && { at: target }) };
    void input.enqueue((turn) => pointer.apply(event, turn), kind);
  });
  hooks.tap(tab.hooks.replaced, () => pointer.release());
};
