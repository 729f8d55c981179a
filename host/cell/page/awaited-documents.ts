import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { PageSessions } from './page-sessions.ts';

/**
 * Sessions whose document is about to be replaced. From when a navigation begins until its document is there, or none comes, Chromium holds
 * back all commands to the process of the frame (`RenderFrameDevToolsAgentHost::DidStartNavigation`): for as long as a server takes to
 * answer. Its events still come, and so do the answers of the browser's own process, which takes input. A page's process may forge these events:
 * it decides no more by that than how its own page is treated.
 */
export class AwaitedDocuments {
  /** Numbers of waits, by their sessions. */
  readonly #awaiting = new WeakMap<CdpSession, number>();
  readonly #listeners = new Set<(session: CdpSession, wait: number) => void>();
  #last = 0;

  constructor(sessions: PageSessions) {
    sessions.listen({
      added: ({ session, kind, targetId }) => {
        if (kind === 'worker') return;
        const over = (frameId: string): void => {
          if (frameId === targetId) this.#awaiting.delete(session);
        };
        session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
          if (frameId !== targetId || /sameDocument$/i.test(navigationType) || this.has(session)) return;
          this.#awaiting.set(session, (this.#last += 1));
          for (const listener of this.#listeners) listener(session, this.#last);
        });
        session.on('Page.frameNavigated', ({ frame }) => over(frame.id));
        session.on('Page.frameStoppedLoading', ({ frameId }) => over(frameId));
      },
    });
  }

  /** Calls `listener` with each wait that begins. */
  listen(listener: (session: CdpSession, wait: number) => void): void {
    this.#listeners.add(listener);
  }

  /** The number of the wait of a session; undefined where its commands do not wait for a document. */
  of(session: CdpSession): number | undefined {
    return this.#awaiting.get(session);
  }

  has(session: CdpSession): boolean {
    return this.#awaiting.has(session);
  }

  /** A command that was sent during a wait has been answered: that wait is over, whatever was not heard of. */
  answered(session: CdpSession, wait: number | undefined): void {
    if (wait !== undefined && this.of(session) === wait) this.#awaiting.delete(session);
  }
}
