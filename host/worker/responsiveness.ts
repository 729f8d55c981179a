import { setTimeout } from 'node:timers/promises';
import { toAppError } from '../../core/protocol/errors.ts';
import type { TabHooks } from '../hooks.ts';
import type { CdpSession } from '../surrogate/cdp-session.ts';
import type { OpenDialog } from './dialogs.ts';
import type { FrameTree } from './frames.ts';
import type { PageSessions } from './page-sessions.ts';
import { quietly } from './target-defaults.ts';

/** Silence after the person's input from which on a page hangs, in ms. Browsers ask after 10 to 15 s; ours is asked over a network. */
export const HANG_MS = 8000;
/** How long a page that the person leaves may take to answer, in ms: what it computes is of no use any more. */
export const LEAVE_MS = 2000;
/** Between two questions, in ms: a pointer that moves is no reason for a hundred. */
const PAUSE_MS = 500;

/** What is watched. */
export interface ResponsivenessOptions {
  readonly sessions: PageSessions;
  readonly frames: FrameTree;
  readonly hooks: TabHooks;
  /** While one is open, its process answers nothing else. */
  readonly dialog: Pick<OpenDialog, 'isOpen' | 'close'>;
}

/**
 * Notices pages whose scripts do not let go of their process: they take no input, and no navigation could leave them. Asked only
 * once the person has done something; what goes on in a page that nobody touches is the page's own affair.
 */
export class Responsiveness {
  readonly #options: ResponsivenessOptions;
  /** Sessions that are asked, or have been just now; and whether they are to be asked again. */
  readonly #asked = new Map<CdpSession, { again: boolean }>();

  constructor(options: ResponsivenessOptions) {
    this.#options = options;
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
    if (await answers(page, LEAVE_MS)) return true;
    // This and a crash reach the process beside its scripts; a script that opens one dialog after the other ends with the next.
    quietly(page.send('Runtime.terminateExecution'));
    dialog.close();
    if (await answers(page, LEAVE_MS)) return true;
    quietly(page.send('Page.crash'));
    return false;
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

/** Whether the process of a session runs something within the time; one that is gone has nothing left to answer. */
async function answers(session: CdpSession, deadlineMs: number): Promise<boolean> {
  try {
    await session.send('Runtime.evaluate', { expression: '0' }, { deadlineMs });
    return true;
  } catch (thrown) {
    return toAppError(thrown).code !== 'cdp-timeout';
  }
}
