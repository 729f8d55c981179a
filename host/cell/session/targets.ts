import { AppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { CdpConnection } from '../../surrogate/cdp.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

const OPEN_DEADLINE_MS = 10_000;

/** Called for targets that the host has not opened. */
export interface TargetListener {
  /** A window that a page has opened; it waits for the debugger. */
  popup(page: CdpSession): void;
  /** A service worker or shared worker; it waits for the debugger. */
  worker(worker: CdpSession): void;
}

/** Targets of one browser: opens pages and reports others. Attaches to every target before it runs. */
export class Targets {
  readonly #connection: CdpConnection;
  readonly #root: CdpSession;
  readonly #listener: TargetListener;
  readonly #waiting = new Map<string, (page: CdpSession) => void>();
  /** Pages that were attached before the answer to their creation. */
  readonly #early = new Map<string, CdpSession>();
  /** Targets that are being attached a second time. */
  readonly #again = new Set<string>();
  #opening = 0;

  constructor(connection: CdpConnection, listener: TargetListener) {
    const { root } = connection;
    this.#connection = connection;
    this.#root = root;
    this.#listener = listener;
    root.onAttached(({ session }) => this.#attached(session));
    quietly(
      root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'page' }, { type: 'service_worker' }, { type: 'shared_worker' }, { exclude: true }],
      }),
    );
    // The browser's process tells here of each navigation, whatever the page's own does.
    quietly(root.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }, { exclude: true }] }));
  }

  /** Opens a page, a blank one unless given; it waits for the debugger. @throws AppError as CdpSession.send. */
  async open(url = 'about:blank'): Promise<CdpSession> {
    this.#opening += 1;
    try {
      // A window of its own: behind another tab, a page falls to 2 frames a second, focus emulation or not.
      const { targetId } = await this.#root.send('Target.createTarget', { url, newWindow: true });
      const early = this.#early.get(targetId);
      if (early) {
        this.#early.delete(targetId);
        return early;
      }
      return await this.#whenAttached(targetId);
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) this.#giveAway();
    }
  }

  /** Attaches a further session to a page, for a domain with a single user. @throws AppError as CdpSession.send. */
  async attachAgain(page: CdpSession): Promise<CdpSession> {
    const targetId = page.targetInfo?.targetId ?? '';
    this.#again.add(targetId);
    try {
      return await this.#connection.attach(targetId);
    } finally {
      this.#again.delete(targetId);
    }
  }

  /** Shows or hides the window of a page: a minimized one is hidden to its page, too, and draws nothing (S-068). @throws AppError as CdpSession.send. */
  async show(page: CdpSession, isShown: boolean): Promise<void> {
    const windowState = isShown ? 'normal' : 'minimized';
    const windowId = await this.windowOf(page);
    await this.#root.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
  }

  /** Number of the window that a page is in: a page that another has opened is moved to one of its own. @throws AppError as CdpSession.send. */
  async windowOf({ targetInfo }: CdpSession): Promise<number> {
    const targetId = targetInfo?.targetId ?? '';
    return (await this.#root.send('Browser.getWindowForTarget', { targetId })).windowId;
  }

  /**
   * Closes a page, after its session: Chromium 156 crashes when it closes a page of which a nested frame shows a dialog to a session. Does
   * nothing if the page or its browser is already closed.
   */
  close(page: CdpSession): void {
    const targetId = page.targetInfo?.targetId;
    if (targetId === undefined) return;
    if (page.id !== undefined) quietly(this.#root.send('Target.detachFromTarget', { sessionId: page.id }));
    quietly(this.#root.send('Target.closeTarget', { targetId }));
  }

  async #whenAttached(targetId: string): Promise<CdpSession> {
    const { closed } = this.#root;
    const { promise, resolve, reject } = Promise.withResolvers<CdpSession>();
    const gone = (): void => reject(closed.reason as AppError); // as every session's
    const timer = setTimeout(() => {
      reject(new AppError('cdp-timeout', 'The page did not appear.', { retryable: true }));
    }, OPEN_DEADLINE_MS);
    const unlisten = onAbort(closed, gone);
    this.#waiting.set(targetId, resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      unlisten();
      this.#waiting.delete(targetId);
    }
  }

  #attached(session: CdpSession): void {
    const info = session.targetInfo;
    if (!info) return; // only the browser itself has none
    if (info.type !== 'page') {
      this.#listener.worker(session);
      return;
    }
    if (this.#again.has(info.targetId)) return; // a second session, asked for below
    const waiting = this.#waiting.get(info.targetId);
    if (waiting) waiting(session);
    else if (info.openerId !== undefined) this.#listener.popup(session);
    else {
      this.#early.set(info.targetId, session);
      if (this.#opening === 0) this.#giveAway();
    }
  }

  /** Reports pages that were not opened here. */
  #giveAway(): void {
    for (const page of this.#early.values()) this.#listener.popup(page);
    this.#early.clear();
  }
}
