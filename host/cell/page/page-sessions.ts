import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { setTargetDefaults } from './target-defaults.ts';

/** Kind of target that a CDP session of a tab is attached to. */
export type SessionKind = 'page' | 'iframe' | 'worker';

/** One CDP session of a tab. */
export interface TabSession {
  readonly session: CdpSession;
  readonly kind: SessionKind;
  /** Id of its target; for a page and an iframe it is also the id of the frame at its root. */
  readonly targetId: string;
}

/**
 * Called when sessions are attached and detached. Commands sent in `added` reach the target before any of its scripts
 * run.
 */
interface SessionListener {
  added(opened: TabSession): void;
  removed?(closed: TabSession): void;
}

/**
 * All CDP sessions of one tab: its page's, those of frames that are targets of their own (cross-site, sandboxed) and of
 * dedicated workers. The page may be replaced, after a crash of its browser: listeners stay registered for the next
 * one.
 */
export class PageSessions {
  readonly #listeners: SessionListener[] = [];
  readonly #open = new Map<CdpSession, TabSession>();
  #page: CdpSession | undefined;

  /** The page's own session; undefined while the tab has no surrogate. */
  get page(): CdpSession | undefined {
    return this.#page;
  }

  /** Sessions of documents, the page's first. */
  documents(): TabSession[] {
    return [...this.#open.values()].filter(({ kind }) => kind !== 'worker');
  }

  /** Sessions of its dedicated workers. */
  workers(): CdpSession[] {
    return [...this.#open.values()].flatMap(({ kind, session }) => (kind === 'worker' ? session : []));
  }

  get(session: CdpSession): TabSession | undefined {
    return this.#open.get(session);
  }

  /** Adds a listener; listeners are called in the order of registration. */
  listen(listener: SessionListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Takes over a page target, which waits for the debugger, in place of an earlier one. Resolves once it runs: an
   * earlier navigation would overtake its blank document, and sometimes kill the renderer or get lost.
   */
  async openPage(session: CdpSession): Promise<void> {
    if (this.#page) this.#close(this.#page);
    this.#page = session.closed.aborted ? undefined : session;
    await this.#add(session, 'page');
  }

  async #add(session: CdpSession, kind: SessionKind): Promise<void> {
    if (session.closed.aborted) return; // before anybody has heard of it
    const opened: TabSession = { session, kind, targetId: session.targetInfo?.targetId ?? '' };
    this.#open.set(session, opened);
    session.onAttached(({ session: child }) => {
      const type = child.targetInfo?.type;
      void this.#add(child, type === 'iframe' || type === 'page' ? 'iframe' : 'worker');
    });
    onAbort(session.closed, () => this.#close(session));
    for (const listener of this.#listeners) listener.added(opened);
    await setTargetDefaults(session, kind);
  }

  #close(session: CdpSession): void {
    const closed = this.#open.get(session);
    if (!closed) return;
    this.#open.delete(session);
    if (this.#page === session) this.#page = undefined;
    for (const listener of this.#listeners) listener.removed?.(closed);
  }
}
