import type { ActivateHost } from '../../../host/plugin.ts';
import { mouse, reportUserAction } from '../protocol.ts';
import { Pointer } from './pointer.ts';

/** Moves the pointer in the page and presses its buttons there. */
export const activate: ActivateHost = ({ commands, hooks, input, log, tab }) => {
  const pointer = new Pointer(input);
  commands.handle(mouse, (event) => {
    const { type, target } = event;
    const isDown = type === 'down';
    const kind = { isMove: type === 'move', isPress: isDown || type === 'up', ...(isDown && { at: target }) };
    void input.enqueue((turn) => pointer.apply(event, turn), kind);
  });
  commands.handle(reportUserAction, ({ action, flag }) => {
    log.debug('a press that the page does not hear of', { action, flag });
    // As in a browser, the page may ask the person for something after such a press, too.
    if (flag) void input.enqueue(() => undefined, { isPress: true });
  });
  hooks.tap(tab.hooks.replaced, () => pointer.forget());
  // Nobody reports where buttons come up then.
  hooks.tap(tab.hooks.inputLost, () => void input.enqueue((turn) => pointer.cancel(turn)));
};
