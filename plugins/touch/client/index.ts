import { inputToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';

/** Forwards the fingers of every document of the view. The code of it is loaded on devices with a touch screen alone. */
export const activate: ActivateClient = async (scope) => {
  if (navigator.maxTouchPoints) (await import('./fingers.ts')).followFingers(scope, scope.services.get(inputToken));
};
