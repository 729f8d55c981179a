import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';
import type { Tab } from '../tab/tab.ts';
import { holdDocument } from './held-document.ts';
import type { HeldDocument } from './held-document.ts';
import type { Targets } from './targets.ts';
import { WaitingWindows } from './waiting-windows.ts';

/** Time for a new window to ask for its document, in ms; one that has not by then is shown blank. */
const ADDRESS_MS = 3000;
/** Time for a window that is refused to ask for its document, in ms, before it is closed. */
const REFUSED_MS = 1000;
/** The same as the first once it has a blank document: it was opened without an address, and may be given one at once. */
const BLANK_MS = 300;

/** Functions of a session that its windows use. */
interface OpenedWindowsOptions {
  readonly tabs: ReadonlyMap<string, Tab>;
  readonly targets: () => Targets | undefined;
  /**
   * Opens a tab with a page that waits for the debugger and then goes its own way. `isAsked`: the person has just acted in its opener.
   *
   * @throws AppError also when there is no room for another
   */
  readonly open: (request: PairRequest, page: CdpSession, isAsked: boolean) => Promise<Tab>;
  /** Ends a tab with its page. */
  readonly end: (tab: Tab) => void;
  readonly log: Log;
}

interface OpenedWindow {
  readonly tab: Tab;
  readonly opener: Tab;
  readonly document: HeldDocument;
  /** Whether the person had just acted in the page that has opened it. */
  readonly isAsked: boolean;
}

/**
 * Windows that pages open (M-083). Each becomes the page of a tab with the target that it has in the surrogate, so that it keeps its opener, its
 * initiator and its one request. That request is held until the person's browser shows the tab: it claims it by a token, which the
 * opener's client is given.
 */
export class OpenedWindows {
  readonly #options: OpenedWindowsOptions;
  readonly #waiting: WaitingWindows<OpenedWindow>;
  /** Windows that a tab of the person's browser shows, by their tokens: no more than tabs. */
  readonly #shown = new Map<string, Omit<OpenedWindow, 'document'>>();
  /** Windows that have had no document. */
  readonly #empty = new WeakSet<Tab>();

  constructor(options: OpenedWindowsOptions) {
    this.#options = options;
    this.#waiting = new WaitingWindows(({ tab, opener, document }, token) => {
      document.abandon();
      options.end(tab);
      opener.hooks.windowClosed.call({ token });
    });
  }

  /** Takes up a window that a page has opened; it waits for the debugger. One that nobody could show is closed. */
  opened(page: CdpSession): void {
    const { targets, log } = this.#options;
    const opener = this.#openerOf(page);
    const token = `p${randomBytes(32).toString('base64url')}`; // as long as a client's own (S-085)
    if (!opener || !this.#waiting.reserve(token)) {
      refuse(page, targets());
      return;
    }
    const drop = (): void => this.#waiting.drop(token);
    onAbort(page.closed, drop);
    this.#take(opener, page, token).catch((thrown: unknown) => {
      log.info('a window of a page was not opened', { code: toAppError(thrown).code });
      drop();
      refuse(page, targets());
    });
  }

  /** Claims the window with a token, and sends its request. */
  claim(token: string | undefined): Tab | undefined {
    const window = this.#waiting.take(token ?? '');
    if (!window) return undefined;
    const { tab, opener, document, isAsked } = window;
    this.#shown.set(token ?? '', { tab, opener, isAsked });
    document.release();
    opener.hooks.windowPaired.call({ token: token ?? '', tab: tab.id });
    return tab;
  }

  /** Closes a window of an opener, by its token. */
  close(opener: Tab, token: string): void {
    const shown = this.#shown.get(token);
    if (shown?.opener === opener) this.#options.end(shown.tab);
    else if (this.#waiting.find(token)?.opener === opener) this.#waiting.drop(token);
  }

  /** The opening of a window that is shown and has had no document: one that leads to a download was opened for that alone. */
  openingOfEmpty(tab: Tab): { readonly opener: Tab; readonly isAsked: boolean } | undefined {
    const shown = this.#empty.has(tab) ? [...this.#shown.values()].find((each) => each.tab === tab) : undefined;
    return shown && this.#options.tabs.get(shown.opener.id) === shown.opener ? shown : undefined;
  }

  /** Tells the openers of a tab that has ended. */
  ended(tab: Tab): void {
    for (const [token, shown] of this.#shown) {
      if (shown.tab !== tab) continue;
      this.#shown.delete(token);
      if (this.#options.tabs.get(shown.opener.id) === shown.opener) shown.opener.hooks.windowClosed.call({ token });
    }
  }

  async #take(opener: Tab, page: CdpSession, token: string): Promise<void> {
    const { targets, open } = this.#options;
    const session = await targets()?.attachAgain(page);
    if (!session) throw new AppError('cdp-closed', 'The surrogate is gone.', { retryable: true });
    const document = await holdDocument(session);
    const blank = isBlank(page);
    const isAsked = opener.gesture.isActive();
    const tab = await open(requestOf(opener), page, isAsked);
    this.#empty.add(tab);
    tab.hooks.navigated.tap('core', ({ frame, sameDocument }) => {
      if (frame === MAIN_FRAME && !sameDocument) this.#empty.delete(tab);
    });
    this.#waiting.fill(token, { tab, opener, document, isAsked });
    const url = await Promise.race([document.asked, blank]);
    opener.hooks.windowOpened.call({ token, url, hasOpener: page.targetInfo?.canAccessOpener === true });
  }

  #openerOf(page: CdpSession): Tab | undefined {
    const opener = page.targetInfo?.openerId;
    if (opener === undefined) return undefined;
    return [...this.#options.tabs.values()].find(({ sessions }) => sessions.page?.targetInfo?.targetId === opener);
  }
}

/**
 * Closes a window that may still wait for the debugger. Its opener waits with it, for ever if it is closed like that: it goes on first, with
 * nothing that the window could ask for.
 */
function refuse(page: CdpSession, targets: Targets | undefined): void {
  const close = (): void => targets?.close(page);
  // One that is held would be sent with the end of the page.
  page.on('Fetch.requestPaused', ({ requestId }) => {
    page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).then(close, close);
  });
  const timer = setTimeout(close, REFUSED_MS).unref();
  onAbort(page.closed, () => clearTimeout(timer));
  quietly(page.send('Fetch.enable', { patterns: [{ requestStage: 'Request' }] }));
  quietly(page.send('Runtime.runIfWaitingForDebugger'));
}

/** Request of the tab of a window: as its opener's, and at its address, until it has one of its own. */
function requestOf(opener: Tab): PairRequest {
  const { is_post: _isPost, body: _body, content_type: _type, pid: _pid, attempt: _attempt, ...same } = opener.request;
  return { ...same, url: opener.url, referrer: '', doc_headers: { 'sec-fetch-site': 'cross-site' } };
}

/** Resolves with the blank address once a window, which waits for the debugger, has shown that it goes nowhere else for now. */
async function isBlank(page: CdpSession): Promise<string> {
  const shown = new Promise<void>((resolve) => {
    page.on('Page.frameNavigated', ({ frame }) => frame.parentId === undefined && resolve());
  });
  await Promise.race([
    shown.then(() => delay(BLANK_MS, undefined, { ref: false })),
    delay(ADDRESS_MS, undefined, { ref: false }),
  ]);
  return 'about:blank';
}
