import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import { withoutOwnParameters } from '../../../core/protocol/shell-address.ts';
import { MAX_ADDRESS, openLink, separate, tabOpen } from '../protocol.ts';

/** The isolated world in which a frame opens a link. */
const LINK_WORLD = 'vitrine-link';
const MAIN_FRAME = 1;

/**
 * Tells the client of windows that the page opens (M-083), and has the frame of a link open it as a window, so that it is the initiator of
 * the request as in direct browsing.
 */
export const activate: ActivateHost = (scope) => {
  const { commands, hooks, input, page, tab, log } = scope;
  hooks.tap(tab.hooks.windowOpened, ({ token, url }) => {
    commands.send(tabOpen, { token, url: url.length > MAX_ADDRESS ? 'about:blank' : url });
    page.send(MAIN_FRAME, separate, undefined);
  });
  commands.handle(openLink, async ({ frame, url }) => {
    if (!/^https?:\/\//i.test(url)) return;
    const open = async (): Promise<void> => {
      try {
        await openFrom(scope, frame, withoutOwnParameters(url));
      } catch (thrown) {
        log.info('a link was not opened in a new tab', { reason: String(thrown) });
      }
    };
    await input.enqueue(open, { isPress: true });
  });
};

/** The person's click is the gesture that a window requires. */
async function openFrom({ cdp }: HostScope, frame: number, url: string): Promise<void> {
  const frameId = cdp.frameId(frame) ?? '';
  const { executionContextId: contextId } = await cdp.send(frame, 'Page.createIsolatedWorld', {
    frameId,
    worldName: LINK_WORLD,
  });
  const expression = `void window.open(${JSON.stringify(url)}, '_blank', 'noopener')`;
  await cdp.send(frame, 'Runtime.evaluate', { expression, contextId, userGesture: true });
}
