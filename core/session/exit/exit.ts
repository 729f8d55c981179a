import { loggerPath } from '../../events/logger-call.ts';
import type { PingMeter } from '../../events/ping-stats.ts';
import type { Reporter } from '../../events/reporter.ts';
import type { UnpairRequest } from '../../protocol/pairing.ts';
import type { TabStore } from '../tab/tab-store.ts';

/** Sends to the host while the page is unloaded: as a beacon, or by a synchronous request where beacons are not available (S-041). */
export function sendOnExit(window: Window & typeof globalThis): (path: string, body: string) => void {
  const { navigator } = window;
  return (path, body) => {
    if ('sendBeacon' in navigator) {
      navigator.sendBeacon(path, body);
      return;
    }
    const request = new window.XMLHttpRequest();
    request.open('POST', path, false);
    request.setRequestHeader('content-type', 'text/plain;charset=UTF-8'); // same as a beacon
    request.send(body);
  };
}

/** Dependencies of {@link leave}. */
export interface ExitOptions {
  readonly store: Pick<TabStore, 'reliable' | 'touch'>;
  readonly reporter: Pick<Reporter, 'leave'>;
  readonly pings: Pick<PingMeter, 'stats'>;
  /** The session to end, if there is one: query and body of POST /r/unpair (S-032). */
  readonly session: () =>
    { readonly cid: string; readonly cl: string | undefined; readonly body: UnpairRequest } | undefined;
  readonly beacon: (path: string, body: string) => void;
}

/**
 * Runs when the page is unloaded. The session is kept for a reload, which the host waits for. It is ended only when a reload could not find
 * it again. Queued events and ping statistics are sent (S-080).
 */
export function leave({ store, reporter, pings, session, beacon }: ExitOptions): void {
  const paired = session();
  if (store.reliable) store.touch();
  else if (paired) {
    const { cid, cl, body } = paired;
    beacon(`/r/unpair?${new URLSearchParams({ cid, ...(cl !== undefined && { cl }) })}`, JSON.stringify(body));
  }
  reporter.leave(beacon);
  const stats = pings.stats();
  if (stats) beacon(loggerPath('pingstats'), JSON.stringify(stats));
}
