import type { HostScope } from '../../../host/plugin.ts';

/** A page that goes to another process has none for a moment: it is asked again after this time, in ms, so often. */
export const ASK_AGAIN_MS = 50;
export const MAX_ASKED = 40;
/** Chromium's words for it. */
const NO_PROCESS = /not attached to an active page/i;

/** Asks a page, and again while it is on its way to another process. */
export async function askedAgain<T>({ signal }: HostScope, send: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await send();
    } catch (thrown) {
      if (!NO_PROCESS.test(String(thrown)) || times === MAX_ASKED || signal.aborted) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}
