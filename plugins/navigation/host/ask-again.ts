import type { HostScope } from '../../../host/plugin.ts';

/** A page that changes to another process has none for a moment: delay before a retry, in ms, and maximum number of attempts. */
export const ASK_AGAIN_MS = 50;
export const MAX_ASKED = 40;
/** Chromium's error text for it. */
const NO_PROCESS = /not attached to an active page/i;

/** Sends to a page. Retries while the page changes to another process. */
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
