import { inputToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { answered, blocking } from '../protocol.ts';

/** Forwards the fingers of every document of the view. The code of it is loaded on devices with a touch screen alone. */
export const activate: ActivateClient = (scope) => {
  const { commands, services } = scope;
  const fingers = navigator.maxTouchPoints
    ? import('./fingers.ts').then(({ followFingers }) => followFingers(scope, services.get(inputToken)))
    : undefined;
  commands.handle(answered, async (answer) => (await fingers)?.answered(answer));
  commands.handle(blocking, async (found) => (await fingers)?.found(found));
};
