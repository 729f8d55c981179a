import { toAppError } from '../../core/protocol/errors.ts';
import type { LinkPeer } from '../link/api.ts';

/** Interval of pings to a process, in ms. */
const PING_EVERY_MS = 2000;
/** Time without an answer after which a process counts as frozen, in ms. */
const PING_DEADLINE_MS = 8000;

/** Pings the process behind a link, and calls `onFrozen` when it does not answer in time. Returns the undo; the timer keeps no process alive. */
export function watchPings(peer: Pick<LinkPeer, 'ping'>, onFrozen: () => void): () => void {
  const timer = setInterval(() => {
    peer.ping(PING_DEADLINE_MS).catch((thrown: unknown) => {
      if (toAppError(thrown).code === 'link-timeout') onFrozen();
    });
  }, PING_EVERY_MS).unref();
  return () => clearInterval(timer);
}
