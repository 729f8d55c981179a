import { setTimeout } from 'node:timers/promises';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { OpenDialog } from './dialogs.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { AwaitedDocuments } from '../page/awaited-documents.ts';
import type { FrameTree } from '../page/frames.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * Time without an answer after the person's input at which a page counts as hanging, in ms. Browsers ask after 10 to 15
 * s; ours is reached over a network.
 */
const HANG_MS = 8000;
/** Time for a page that is being left to answer, in ms: its computation is of no use any more. */
const LEAVE_MS = 1000;
/**
 * Time for an answer after its scripts were stopped, in ms: the next step also ends other pages of its process, and a process is busy for some
 * seconds where the machine is.
 */
const STOP_MS = 6000;
/** Time for a killed process to end, in ms. */
const END_MS = 1000;
/** Interval at which a page that is being left is looked at, in ms. */
const LOOK_MS = 50;
/** Documents that a page being left may begin to wait for one after the other, before it counts as one that hangs. */
const MAX_WAITS = 3;
/** Minimum interval between two checks, in ms: a moving pointer needs no hundred checks. */
const PAUSE_MS = 500;

/** Options of the watch. */
interface ResponsivenessOptions {
  readonly sessions: PageSessions;
  readonly frames: FrameTree;
  readonly hooks: TabHooks;
  readonly awaited: Pick<AwaitedDocuments, 'has' | 'of' | 'answered'>;
  /** While one is open, its process answers nothing else. */
  readonly dialog: Pick<OpenDialog, 'isOpen' | 'close'>;
  /** See `PageInput.settle`. */
  readonly settleInput: (patienceMs: number) => Promise<void>;
  /** Called when nothing reaches the page: another must replace it. */
  readonly onStuck: () => void;
}

/**
 * Detects pages whose scripts block their process: they take no input, and no navigation could leave them. Checks only
 * after input of the person, or when the next document has arrived; a page without input may block itself.
 */
export class Responsiveness {
  readonly #options: ResponsivenessOptions;
  /** Sessions that are being checked, or were just now; and whether to check them again. */
  readonly #asked = new Map<CdpSession, { again: boolean }>();
  /** Pages that were ended. */
  readonly #ended = new WeakSet<CdpSession>();
  /** Loader of the document that has arrived and will replace the page. */
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

  /**
   * Called on input of the person in a document of this session: the hook `unresponsive` reports if it does not answer.
   */
  expect(session: CdpSession): void {
    const asked = this.#asked.get(session);
    if (asked) asked.again = true;
    else void this.#watch(session);
  }

  /**
   * Resolves with true once the page can be left: it has handled what the person did in it before, its dialog is closed, and scripts that block
   * it are stopped. If that does not help its process is killed: false then, and it is restored like any that crashes. `forAnother`: the
   * document that it may be waiting for is not wanted any more. Never rejects.
   */
  async release(forAnother: boolean): Promise<boolean> {
    const { sessions, dialog, awaited } = this.#options;
    const { page } = sessions;
    if (!page) return false;
    /** Nothing that has ended answers, though a command to it is over. */
    const isThere = (): boolean => sessions.page === page && !this.#ended.has(page);
    dialog.close();
    let wait: number | undefined;
    for (let count = 0; count < MAX_WAITS; count++) {
      const before = wait;
      wait = awaited.of(page);
      if (count > 0 && (wait === undefined || wait === before)) break;
      if (wait !== undefined) {
        if (!forAnother) return true; // it could not answer
        quietly(page.send('Page.stopLoading'));
      }
      if (await this.#isDone(page, wait)) return isThere();
      // A link that the person had pressed may have begun to load meanwhile.
    }
    if (forAnother) quietly(page.send('Page.stopLoading')); // a navigation that has just begun
    if (!(await this.#stop(page))) return false;
    await this.#options.settleInput(LEAVE_MS); // what its scripts had held up is handled only now
    if (forAnother && awaited.has(page)) quietly(page.send('Page.stopLoading'));
    return isThere();
  }

  /**
   * Whether the page has handled what the person did in it. A link that was pressed before would take the place of the next document otherwise:
   * Chromium lets navigations of pages that the person acts in replace those of the browser. False as soon as it awaits another document than
   * with the number `before`: it does not answer then.
   */
  async #isDone(page: CdpSession, before: number | undefined): Promise<boolean> {
    const { awaited, settleInput } = this.#options;
    const settled = settleInput(LEAVE_MS);
    if (!(await answers(page, LEAVE_MS))) return false;
    await settled;
    const isAnswered = answers(page, LEAVE_MS); // a navigation that it has begun is known before this
    for (;;) {
      const isDone = await Promise.race([isAnswered, setTimeout(LOOK_MS, undefined, { ref: false })]);
      if (isDone !== undefined) return isDone;
      const wait = awaited.of(page);
      if (wait !== undefined && wait !== before) return false;
    }
  }

  /** Like {@link release}, for a page that has had its time to answer. */
  async #stop(page: CdpSession): Promise<boolean> {
    // This and a crash reach the process in spite of its scripts; a script that opens one dialog after the other ends
    // with the next.
    quietly(page.send('Runtime.terminateExecution'));
    this.#options.dialog.close();
    if (await answers(page, STOP_MS)) return true;
    if (this.#options.sessions.page === page) this.#end(page);
    return false;
  }

  #end(page: CdpSession): void {
    this.#ended.add(page);
    const timer = globalThis.setTimeout(() => {
      if (this.#options.sessions.page === page) this.#options.onStuck();
    }, END_MS);
    timer.unref();
    page.on('Inspector.targetCrashed', () => clearTimeout(timer));
    quietly(page.send('Page.crash'));
  }

  /** A navigation that the host did not start, or that was pending when the page began to hang. */
  #watchNext(page: CdpSession): void {
    this.#next = undefined;
    page.on('Network.responseReceived', ({ type, requestId, loaderId, frameId = '', response }) => {
      if (response.url === NOWHERE) return;
      if (type === 'Document' && requestId === loaderId && this.#options.frames.frameOf(frameId) === MAIN_FRAME)
        void this.#succeed(page, loaderId, response.url);
    });
    // It was a download, or a 204.
    page.on('Network.loadingFailed', ({ requestId }) => {
      if (this.#next === requestId) this.#next = undefined;
    });
  }

  /** The next document has arrived: it replaces the page as soon as the scripts there yield, or are stopped. */
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
        // All commands go to the next document, which the process does not start: scripts can no longer be stopped.
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
    const { frames, sessions, hooks, dialog, awaited } = this.#options;
    const frame = frames.frameOf(sessions.get(session)?.targetId ?? '');
    let hangs = false;
    let wait = awaited.of(session);
    for (; !(await answers(session, HANG_MS)); wait = awaited.of(session)) {
      if (dialog.isOpen || frame === undefined || awaited.has(session)) continue;
      hangs = true;
      hooks.unresponsive.call({ frame, unresponsive: true });
    }
    awaited.answered(session, wait);
    if (hangs && frame !== undefined) hooks.unresponsive.call({ frame, unresponsive: false });
  }
}

/**
 * Whether the page is still in its process; a page that moves to another is blocked by nothing. The browser itself
 * knows.
 */
async function isInPlace(page: CdpSession): Promise<boolean> {
  try {
    await page.send('Page.getNavigationHistory', undefined, { deadlineMs: LEAVE_MS });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether two pages are of one site, and run in one process: compares the ends of their names, without a public suffix
 * list.
 */
function isSameSite(one: string, two: string): boolean {
  const [site, other] = [one, two].map((url) => URL.parse(url)?.hostname.split('.').slice(-2).join('.'));
  return site !== undefined && site === other;
}

/** Whether the process of a session runs a command within the deadline; one that has ended counts as answering. */
async function answers(session: CdpSession, deadlineMs: number): Promise<boolean> {
  try {
    await session.send('Runtime.evaluate', { expression: '0' }, { deadlineMs });
    return true;
  } catch (thrown) {
    return toAppError(thrown).code !== 'cdp-timeout';
  }
}
