import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { PageSessions } from './page-sessions.ts';

/** Age from which a request is a transfer while its data keeps coming, and the longest pause in that, in ms. */
const LONG_MS = 3000;
const PAUSE_MS = 5000;
/** Longest time that a request with a body counts as one while nothing answers, in ms. */
const SENDING_MS = 10 * 60_000;
const MAX_REQUESTS = 1000;

/** A request whose answer is not complete. */
interface OpenRequest {
  readonly begunAt: number;
  readonly isSending: boolean;
  receivedAt: number;
}

/** Notices what the documents of a tab send and receive for longer than a moment: uploads, and downloads by their scripts. */
export class Transfers {
  readonly #open = new Map<CdpSession, Map<string, OpenRequest>>();

  constructor(sessions: Pick<PageSessions, 'listen'>) {
    sessions.listen({
      added: ({ session }) => this.#watch(session),
      removed: ({ session }) => this.#open.delete(session),
    });
  }

  /** Whether there is one now. */
  isActive(now = performance.now()): boolean {
    for (const requests of this.#open.values())
      for (const { begunAt, isSending, receivedAt } of requests.values()) {
        if (isSending && now - begunAt < SENDING_MS) return true;
        if (now - begunAt > LONG_MS && now - receivedAt < PAUSE_MS) return true;
      }
    return false;
  }

  #watch(session: CdpSession): void {
    const requests = new Map<string, OpenRequest>();
    this.#open.set(session, requests);
    const ended = ({ requestId }: { readonly requestId: string }): void => void requests.delete(requestId);
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (requests.size >= MAX_REQUESTS || requestId.length > 200 || !request.url.startsWith('http')) return;
      const isSending = request.hasPostData === true;
      requests.set(requestId, { begunAt: performance.now(), isSending, receivedAt: -Infinity });
    });
    session.on('Network.dataReceived', ({ requestId }) => {
      const request = requests.get(requestId);
      if (request) request.receivedAt = performance.now();
    });
    session.on('Network.loadingFinished', ended);
    session.on('Network.loadingFailed', ended);
  }
}
