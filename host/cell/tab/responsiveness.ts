import { setTimeout } from 'node:timers/promises';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { TabHooks } from '../../hooks.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { OpenDialog } from './dialogs.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';

/** Silence after the person's input from which on a page hangs, in ms. Browsers ask after 10 to 15 s; ours is asked over a network. */
const HANG_MS = 8000;
/** How long a page that is left may take to answer, in ms: what it computes is of no use any more. */
const LEAVE_MS = 1000;
/** How long it may take once its scripts have been stopped, in ms: what follows takes other pages of its process with it. */
const STOP_MS = 2000;
/** How long a process that is ended may take to be gone, in ms. */
const END_MS = 1000;
/** Between two questions, in ms: a pointer that moves is no reason for a hundred. */
const PAUSE_MS = 500;

/** What is watched. */
interface ResponsivenessOptions {
  readonly sessions: PageSessions;
  readonly frames: FrameTree;
  readonly hooks: TabHooks;
  /** While one is open, its process answers nothing else. */
  readonly dialog: Pick<OpenDialog, 'isOpen' | 'close'>;
  /** Nothing reaches the page: another has to take its place. */
  readonly onStuck: () => void;
}

/**
 * Notices pages whose scripts do not let go of their process: they take no input, and no navigation could leave them. Asked only
 * once the person has done something, or the next document is there; what goes on in a page that nobody touches is the page's own affair.
 */
export class Responsiveness {
  readonly #options: ResponsivenessOptions;
  /** Sessions that are asked, or have been just now; and whether they are to be asked again. */
  readonly #asked = new Map<CdpSession, { again: boolean }>();
  /** The document that has come and is to take the page's place, by its loader. */
  #next: string | undefined;

  constructor(options: ResponsivenessOptions) {
    this.#options = options;
    const { sessions, frames } = options;
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind === 'page') this.#watchNext(session);
      },
    });
    frames.onNavigation(({ frame, sameDocument }) => {
      if (frame.id === MAIN_FRAME && !sameDocument) this.#next = undefined;
    });
  }

  /** The person has done something in a document of this session: the hook `unresponsive` tells if it does not answer. */
  expect(session: CdpSession): void {
    const asked = this.#asked.get(session);
    if (asked) asked.again = true;
    else void this.#watch(session);
  }

  /**
   * Resolves with true once the page can be left: its dialog is closed, and scripts that keep it from answering are stopped. Where that
   * does not help its process is ended: false then, and it is restored like any that crashes. Never rejects.
   */
  async release(): Promise<boolean> {
    const { sessions, dialog } = this.#options;
    const { page } = sessions;
    if (!page) return false;
    dialog.close();
    return (await answers(page, LEAVE_MS)) || this.#stop(page);
  }

  /** As {@link release}, of a page that has had its time to answer. */
  async #stop(page: CdpSession): Promise<boolean> {
    // This and a crash reach the process beside its scripts; a script that opens one dialog after the other ends with the next.
    quietly(page.send('Runtime.terminateExecution'));
    this.#options.dialog.close();
    if (await answers(page, STOP_MS)) return true;
    if (this.#options.sessions.page === page) this.#end(page);
    return false;
  }

  #end(page: CdpSession): void {
    const timer = globalThis.setTimeout(() => {
      if (this.#options.sessions.page === page) this.#options.onStuck();
    }, END_MS);
    timer.unref();
    page.on('Inspector.targetCrashed', () => clearTimeout(timer));
    quietly(page.send('Page.crash'));
  }

  /** A navigation that nobody has asked the host for, or that was on its way when the page began to hang. */
  #watchNext(page: CdpSession): void {
    this.#next = undefined;
    page.on('Network.responseReceived', ({ type, requestId, loaderId, frameId = '', response }) => {
      if (response.url === NOWHERE) return;
      if (type === 'Document' && requestId === loaderId && this.#options.frames.frameOf(frameId) === MAIN_FRAME)
        void this.#succeed(page, loaderId, response.url);
    });
    // It was a download, or nothing at all.
    page.on('Network.loadingFailed', ({ requestId }) => {
      if (this.#next === requestId) this.#next = undefined;
    });
  }

  /** The next document has come: it takes the page's place as soon as the scripts there let go, or are stopped. */
  async #succeed(page: CdpSession, loaderId: string, url: string): Promise<void> {
    const { dialog, frames, onStuck } = this.#options;
    const isSameProcess = isSameSite(frames.get(MAIN_FRAME)?.url ?? '', url);
    this.#next = loaderId;
    const isWaiting = (): boolean => this.#next === loaderId && !page.closed.aborted && !dialog.isOpen;
    while (this.#next === loaderId && !page.closed.aborted) {
      if (await answers(page, LEAVE_MS)) await setTimeout(PAUSE_MS, undefined, { ref: false });
      else if (!isWaiting()) continue;
      else if (await isInPlace(page)) {
        if (!(await this.#stop(page))) return;
      } else if (isSameProcess && !(await answers(page, STOP_MS)) && isWaiting()) {
        // All that is sent goes to the next document, which the process does not begin: no script there can be stopped any more.
        onStuck();
        return;
      }
    }
  }

  async #watch(session: CdpSession): Promise<void> {
    const asked = { again: true };
    this.#asked.set(session, asked);
    while (asked.again && !session.closed.aborted) {
      asked.again = false;
      await this.#ask(session);
      await setTimeout(PAUSE_MS, undefined, { ref: false });
    }
    this.#asked.delete(session);
  }

  async #ask(session: CdpSession): Promise<void> {
    const { frames, sessions, hooks, dialog } = this.#options;
    const frame = frames.frameOf(sessions.get(session)?.targetId ?? '');
    let hangs = false;
    while (!(await answers(session, HANG_MS))) {
      if (dialog.isOpen || frame === undefined) continue;
      hangs = true;
      hooks.unresponsive.call({ frame, unresponsive: true });
    }
    if (hangs && frame !== undefined) hooks.unresponsive.call({ frame, unresponsive: false });
  }
}

/** Whether the page is still in its process; one on its way to another is held up by nothing. Known to the browser itself. */
async function isInPlace(page: CdpSession): Promise<boolean> {
  try {
    await page.send('Page.getNavigationHistory', undefined, { deadlineMs: LEAVE_MS });
    return true;
  } catch {
    return false;
  }
}

/** Whether two pages are of one site, and run in one process, as far as the ends of their names tell: without a list of suffixes. */
function isSameSite(one: string, two: string): boolean {
  const [site, other] = [one, two].map((url) => URL.parse(url)?.hostname.split('.').slice(-2).join('.'));
  return site !== undefined && site === other;
}

/** Whether the process of a session runs something within the time; one that is gone has nothing left to answer. */
async function answers(session: CdpSession, deadlineMs: number): Promise<boolean> {
  try {
    await session.send('Runtime.evaluate', { expression: '0' }, { deadlineMs });
    return true;
  } catch (thrown) {
    return toAppError(thrown).code !== 'cdp-timeout';
  }
}
