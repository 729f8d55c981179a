import { LEAVING_COOKIE, LEAVING_TERMS, LEFT_TERMS } from '../../protocol/shell-address.ts';
import { PROTOCOL_VERSION } from '../../protocol/wire.ts';
import type { Paired } from '../pairing/pairing.ts';
import { setCookie } from '../shell/cookies.ts';
import type { PageAddress } from '../shell/page-address.ts';
import type { SessionInfo } from '../shell/session-info.ts';
import type { TabStore } from '../tab/tab-store.ts';
import { leave, sendOnExit } from './exit.ts';
import type { ExitOptions } from './exit.ts';

/** Dependencies of {@link watchExit}. */
interface WatchExitOptions extends Pick<ExitOptions, 'reporter' | 'pings'> {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly address: PageAddress | undefined;
  readonly store: TabStore;
  /** The session of the tab, once it is paired. */
  readonly paired: () => Paired | undefined;
}

/** Leaves the session when the document is unloaded, and reloads the shell when the browser restores the document. */
export function watchExit({ window, info, address, store, reporter, pings, paired }: WatchExitOptions): void {
  const { document, location } = window;
  const session: ExitOptions['session'] = () => {
    const answer = paired();
    return (
      answer && {
        cid: answer.cid,
        cl: answer.cluster_id,
        body: {
          build_id: info.BUILD_ID,
          tc_api: PROTOCOL_VERSION,
          url: address?.url ?? '',
          host: location.host,
          transparent_mode: info.TPROXY_ENABLED,
          ...(address?.mpaId !== undefined && { mpa_id: address.mpaId }),
          tab_id: store.tabId,
          safe_rid: answer.safe_rid,
        },
      }
    );
  };
  window.addEventListener('beforeunload', () => {
    if (paired()) setCookie(document, LEAVING_COOKIE, '1', LEAVING_TERMS);
  });
  window.addEventListener('pagehide', () => {
    setCookie(document, LEAVING_COOKIE, '', LEFT_TERMS);
    leave({ store, reporter, pings, beacon: sendOnExit(window), session });
    store.dispose();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload(); // its channel was closed long ago
  });
}
