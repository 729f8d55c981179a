import { withoutOwnParameters } from '../../../core/protocol/shell-address.ts';
import { toAppError } from '../../../host/plugin.ts';
import type { HostScope, PersonLinks } from '../../../host/plugin.ts';
import { LINK_FEATURES } from '../link-features.ts';
import { openAlone, tabDenied } from '../protocol.ts';
import { mayOpenTabs } from './may-open-tabs.ts';
import { openFrom } from './open-from.ts';
import { keepsWindows } from './sandboxed.ts';

/** Time for a frame to answer that is to open what a menu offers, in ms: where it hangs, the client does it while the person's press still counts. */
const REACH_MS = 1500;

/** Opens links of frames for the person. */
interface LinksOfFrames extends PersonLinks {
  /** Has a frame open an address in a tab, as far as it may. */
  follow(frame: number, url: string): Promise<void>;
}

/** Makes the links of a tab. */
export function linksOfFrames(scope: HostScope): LinksOfFrames {
  const { cdp, commands, frames, input, log, signal, tab } = scope;
  const mayOpen = (): boolean => mayOpenTabs(tab);
  const refuse = (): void => commands.send(tabDenied, {});
  /** Resolves with whether the frame has called for the window: a sandbox keeps it from that. */
  const openBy = async (frame: number, url: string, features: string, reachMs?: number): Promise<boolean> => {
    let isCalled = false;
    const unlisten = cdp.on('Page.windowOpen', (call) => {
      isCalled ||= call.url === (URL.parse(url)?.href ?? url);
    });
    try {
      await openFrom(scope, frame, [url, '_blank', features], reachMs);
      return isCalled;
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      log.info('a link was not opened by its frame', { reason: message });
      return code === 'cdp-timeout'; // it may still do so
    } finally {
      unlisten();
    }
  };
  const follow: LinksOfFrames['follow'] = async (frame, url) => {
    if (!isWeb(url)) return;
    if (!mayOpen()) return refuse();
    const open = async (): Promise<void> => {
      await openBy(frame, withoutOwnParameters(url), LINK_FEATURES.tab);
    };
    await input.enqueue(open, { isPress: true });
  };
  const open = async (frame: number | undefined, url: string, place: 'tab' | 'window'): Promise<void> => {
    const openByClient = (): void => {
      if (!signal.aborted) commands.send(openAlone, { url, window: place === 'window' });
    };
    if (frame === undefined || (await frames.originOf(frame)) === 'null' || (await keepsWindows(scope, frame))) {
      openByClient();
      return;
    }
    const openByFrame = async (): Promise<void> => {
      if (!(await openBy(frame, url, LINK_FEATURES[place], REACH_MS))) openByClient();
    };
    await input.enqueue(openByFrame, { isPress: true });
  };
  return {
    follow,
    mayOpen,
    open: (frame, url, place) => {
      if (!isWeb(url)) return;
      if (mayOpen()) void open(frame, withoutOwnParameters(url), place);
      else refuse();
    },
  };
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);
