import type { ActivateHost } from '../../../host/plugin.ts';
import { countFrames, surrogateFrames } from '../protocol.ts';

const MAIN_FRAME = 1;

/** Asks the main frame for its frames when the client does. */
export const activate: ActivateHost = ({ commands, page }) => {
  commands.handle(surrogateFrames, () => page.call(MAIN_FRAME, countFrames, {}));
};
