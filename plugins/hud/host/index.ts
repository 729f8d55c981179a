import type { ActivateHost } from '../../../host/plugin.ts';
import { countFrames, surrogateFrames } from '../protocol.ts';

const MAIN_FRAME = 1;

/** Requests the frame count of the main frame for the client. */
export const activate: ActivateHost = ({ commands, page }) => {
  commands.handle(surrogateFrames, () => page.call(MAIN_FRAME, countFrames, {}));
};
