import type { CdpSession } from '../../surrogate/cdp-session.ts';

/** Time after which an unanswered request is not counted any more, in ms: of some, Chromium never reports the end. */
const KEEP_MS = 60_000;
/** Maximum number of requests that are counted. */
export const MAX_REQUESTS = 5000;

/** The requests of one tab that are not answered. */
export class OpenRequests {
  /** When each has begun, by session; in order. */
  readonly #begun = new Map<CdpSession, Map<string, number>>();
  #count = 0;

  begun(session: CdpSession, id: string, now = performance.now()): void {
    const requests = this.#begun.get(session) ?? new Map<string, number>();
    this.#begun.set(session, requests);
    if (requests.has(id) || this.#count >= MAX_REQUESTS || id.length > 200) return;
    requests.set(id, now);
    this.#count++;
  }

  ended(session: CdpSession, id: string): void {
    if (this.#begun.get(session)?.delete(id) === true) this.#count--;
  }

  /** The session is closed. */
  forget(session: CdpSession): void {
    this.#count -= this.#begun.get(session)?.size ?? 0;
    this.#begun.delete(session);
  }

  /** Number of the requests that began less than a minute ago. */
  count(now: number): number {
    for (const requests of this.#begun.values())
      for (const [id, at] of requests) {
        if (now - at < KEEP_MS) break;
        requests.delete(id);
        this.#count--;
      }
    return this.#count;
  }
}
