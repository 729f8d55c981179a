import { setTimeout as delay } from 'node:timers/promises';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { EgressReason } from '../egress/reasons.ts';
import { BLANK, isBlank, isOpenable, mayBeShown } from '../../base/addresses.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameNavigation, FrameTree } from '../page/frames.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';
import { Redirects } from '../page/redirects.ts';
import { AGAIN, PERSON } from './initiator.ts';
import type { Initiator } from './initiator.ts';
import { openAsLink } from './open-as-link.ts';

/** Deadline for the answer to a navigation, in ms; the page may still load afterwards. */
const NAVIGATE_DEADLINE_MS = 60_000;
/** Time in which messages of page halves are read, in ms. */
const READ_MS = 2000;
/** Chromium's error for a navigation that leads to no document, or that another one replaces. */
const ABORTED = 'net::ERR_ABORTED';
/** Chromium's error for an error response without a body, such as the egress sends. */
const EMPTY_ERROR = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';

/** Chromium's error for a page that a site has made, and that is gone. */
const NO_FILE = 'net::ERR_FILE_NOT_FOUND';

/** Failure of an address that has no page, where there is no page before either: of a file, or an answer without content. */
const NO_PAGE = 'vitrine:no-page';

/** An address that the main frame goes to. */
interface Course {
  readonly url: string;
  readonly initiator: Initiator;
}

/** Dependencies of a tab's loading. */
interface PageLoadOptions {
  /** The address that is to be opened first. */
  readonly asked: string;
  readonly sessions: PageSessions;
  readonly frames: FrameTree;
  readonly hooks: TabHooks;
  /** Reason why the egress refused an address, or could not reach it. */
  readonly reasonFor: (url: string) => EgressReason | undefined;
  /** See `Responsiveness.release`. */
  readonly release: (forAnother: boolean) => Promise<boolean>;
  /** Called when the main frame starts to load, or shows its document. */
  readonly onState: (state: 'loading' | 'ready', url: string) => void;
}

/**
 * State of the main frame: loading, ready, or failed. The error of a failure is combined from Chromium's events and the
 * egress's reasons.
 */
export class PageLoad {
  readonly redirects: Redirects;
  readonly #options: PageLoadOptions;
  #state: 'loading' | 'ready' = 'ready';
  /** Whether the document that is being loaded has replaced the previous one. */
  #isCommitted = false;
  #destination: Course | undefined;
  #asked: string;
  /** The address that was opened last when the main frame got its document. */
  #askedBefore: string;
  /** The address that the person wants, until the page can be left: what it does until then changes nothing in that. */
  #leaving: Course | undefined;
  /** The page that was ended for what it did, until another address than the blank one in its place is shown. */
  #ended: Parameters<PageLoad['stopped']> | undefined;
  /** Number of times that it has begun to load. */
  #loads = 0;
  /** Number of navigations by the person. */
  #navigations = 0;
  /** Whether the page has shown more than its first, blank document. */
  #hasShown = false;
  /** Chromium's error for the latest failure of a main document, by address. */
  #failure: { readonly url: string; readonly errorText: string } | undefined;
  /** Chromium's id of the document whose page half has begun. */
  #begun: string | undefined;
  #request: { readonly id: string; readonly url: string } | undefined;

  constructor(options: PageLoadOptions) {
    this.#options = options;
    this.#asked = this.#askedBefore = options.asked;
    this.redirects = new Redirects(options.sessions);
    options.sessions.listen({
      added: ({ session, kind }) => {
        if (kind === 'page') this.#watch(session);
      },
    });
    options.frames.onReady(({ id }) => {
      if (id === MAIN_FRAME) this.#begun = options.frames.loaderOf(MAIN_FRAME);
    });
    options.frames.onNavigation((navigation) => this.#navigated(navigation));
  }

  get state(): 'loading' | 'ready' {
    return this.#state;
  }

  /** The address that was opened last, or whose page was ended. */
  get asked(): string {
    return this.#asked;
  }

  /** A new page is about to open an address: it may be lost before. */
  expect(url: string): void {
    this.#asked = url;
  }

  /** The person's destination, until the page has loaded: a page that replaces this one must open it. */
  get destination(): string | undefined {
    return this.#course?.url;
  }

  get #course(): Course | undefined {
    return this.#leaving ?? this.#destination;
  }

  /** The parameters of {@link stopped}, while nothing has been shown since: nobody wants that page again. */
  get ended(): Parameters<PageLoad['stopped']> | undefined {
    return this.#ended;
  }

  /** Initiator of an address that is opened in the place of a lost page: the person's only where they have asked for it, and it has not loaded yet. */
  initiatorAgain(url: string): Initiator {
    return this.#course?.url === url ? this.#course.initiator : AGAIN;
  }

  /** Opens an address that has been checked. Returns immediately: the outcome is reported by hooks. */
  navigate(url: string, initiator: Initiator = PERSON): void {
    const nth = (this.#navigations += 1);
    this.#leaving = undefined;
    this.#destination = { url, initiator };
    this.#asked = url;
    if (url === BLANK) this.#ended = undefined; // it is the person's, and not that in place of the page
    const page = this.#options.sessions.page;
    if (!page) return; // one that takes its place opens the destination
    this.#setState('loading', url);
    // A page that a site has made is no link's to open: Chromium refuses that without a word.
    if (initiator.by === 'link' && url.startsWith('blob:')) return this.#failed(url, NO_FILE);
    const opened =
      initiator.by === 'link' && url !== BLANK
        ? openAsLink(page, url, NAVIGATE_DEADLINE_MS).then(() => ({ errorText: undefined }))
        : page.send('Page.navigate', { url }, { deadlineMs: NAVIGATE_DEADLINE_MS });
    opened.then(
      ({ errorText }) => {
        if (errorText === undefined) return;
        if (nth !== this.#navigations) return; // another one has taken its place
        this.#failure = { url, errorText };
        // A download, or a 204: the page stays.
        if (errorText !== ABORTED) return;
        if (!this.#hasShown && this.#options.sessions.page === page) this.#failed(url, NO_PAGE);
        this.#destination = undefined;
        this.#setState('ready', this.#url());
      },
      (thrown: unknown) => {
        if (nth !== this.#navigations) return;
        if (['cdp-error', 'no-blank-page'].includes(toAppError(thrown).code)) this.#failed(url, 'net::ERR_INVALID_URL');
      },
    );
  }

  /**
   * The person is back at `url`, an entry of the page's history: what the page still waits for, to show it instead, is not wanted any more. A
   * page that has shown nothing goes there.
   */
  halt(url: string, initiator: Initiator): void {
    const { page } = this.#options.sessions;
    if (!page || this.#course === undefined || this.#course.url === url) return;
    if (!this.#hasShown) return this.leave(url, initiator);
    this.#navigations += 1;
    this.#leaving = this.#destination = undefined;
    this.#asked = this.#askedBefore;
    const settle = (): void => this.#settle(page);
    page.send('Page.stopLoading').then(settle, settle);
  }

  /** Like `navigate`, for a page that may hang or show a dialog. */
  leave(url: string, initiator: Initiator): void {
    this.#setState('loading', url);
    void this.release(url, initiator).then((isThere) => {
      if (isThere) this.navigate(url, initiator);
    });
  }

  /**
   * Resolves with true once the page can be left; with false when it is being replaced, by a page that opens the address, or when the person
   * has gone elsewhere meanwhile.
   */
  async release(to?: string, initiator: Initiator = PERSON): Promise<boolean> {
    const url = to ?? this.#url();
    const asked = { url, initiator: url === this.#url() ? AGAIN : initiator };
    if (isOpenable(url)) this.#leaving = asked;
    if (to !== undefined) this.#navigations += 1; // what is under way ends
    const nth = this.#navigations;
    const isThere = await this.#options.release(to !== undefined);
    if (isThere && this.#leaving === asked) this.#leaving = undefined;
    return isThere && nth === this.#navigations;
  }

  /** Called when the page has been ended: it is reported like one that could not be loaded. */
  stopped(url: string, reason: { readonly code: string; readonly message: string }): void {
    this.#leaving = this.#destination = undefined;
    this.#options.hooks.navigationFailed.call({ frame: MAIN_FRAME, url, errorText: 'vitrine:stopped', reason });
    this.#setState('ready', url);
    this.#asked = url;
    this.#ended = [url, reason];
  }

  #watch(page: CdpSession): void {
    const isMain = (frameId: string | undefined): boolean =>
      frameId !== undefined && this.#options.frames.frameOf(frameId) === MAIN_FRAME;
    page.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      if (url !== NOWHERE && isMain(frameId) && !/sameDocument$/i.test(navigationType)) this.#setState('loading', url);
    });
    this.#isCommitted = this.#hasShown = false;
    const shown = (): void => {
      if (this.#isCommitted) this.#settle(page);
    };
    page.on('Page.domContentEventFired', shown);
    page.on('Page.loadEventFired', shown);
    page.on('Page.frameStoppedLoading', ({ frameId }) => {
      // Without a new document it was a download, or a 204; the first, blank document does not count.
      if (isMain(frameId) && this.#hasShown) this.#settle(page);
    });
    page.on('Network.requestWillBeSent', ({ requestId, frameId, type, loaderId, request }) => {
      if (type !== 'Document' || requestId !== loaderId || !isMain(frameId) || request.url === NOWHERE) return;
      this.#request = { id: requestId, url: request.url };
      // A POST body is not available for a second request. The page's process reports it, and may say anything.
      if (request.method === 'GET' && isOpenable(request.url))
        this.#goesTo(`${request.url}${request.urlFragment ?? ''}`);
    });
    page.on('Network.loadingFailed', ({ requestId, errorText }) => {
      if (this.#request?.id !== requestId) return;
      const { url } = this.#request;
      this.#failure = { url, errorText };
      if (this.#destination?.url.startsWith(url)) this.#destination = undefined;
      // A download, or a 204, of a page that has shown nothing yet.
      if (errorText === ABORTED && !this.#hasShown) this.#settle(page, () => this.#request?.id === requestId);
    });
  }

  /** A document is being requested: the person's, or one that the page has chosen. */
  #goesTo(url: string): void {
    this.#destination = { url, initiator: this.initiatorAgain(url) };
  }

  /** Reports that the page is ready once the earlier messages of page halves have been read, if that still holds then. */
  #settle(page: CdpSession, holds = (): boolean => true): void {
    if (this.#state === 'ready') return;
    const nth = this.#loads;
    const done = (): void => {
      if (this.#options.sessions.page === page && nth === this.#loads && holds()) this.#setState('ready', this.#url());
    };
    const begun = isBlank(this.#url()) ? this.#blankBegun() : Promise.resolve();
    begun.then(() => page.send('Runtime.evaluate', { expression: '0' }, { deadlineMs: READ_MS })).then(done, done);
  }

  /** Resolves once a blank document has its page half, which may come after it (`bare-documents.ts`), or in time. Never rejects. */
  async #blankBegun(): Promise<void> {
    const { frames } = this.#options;
    if (this.#begun !== undefined && this.#begun === frames.loaderOf(MAIN_FRAME)) return;
    const ready = Promise.withResolvers<void>();
    const undo = frames.onReady(({ id }) => id === MAIN_FRAME && ready.resolve());
    await Promise.race([ready.promise, delay(READ_MS, undefined, { ref: false })]);
    undo();
  }

  #navigated({ frame, sameDocument, unreachableUrl }: FrameNavigation): void {
    this.#options.hooks.navigated.call({ frame: frame.id, url: frame.url, sameDocument });
    if (frame.id !== MAIN_FRAME || sameDocument) return;
    this.#isCommitted = this.#hasShown = true;
    this.#destination = undefined;
    this.#askedBefore = this.#asked;
    if (!isBlank(frame.url)) this.#ended = undefined;
    if (unreachableUrl !== undefined) {
      const known = this.#failure?.url === unreachableUrl ? this.#failure.errorText : undefined;
      this.#failed(unreachableUrl, known ?? 'net::ERR_FAILED');
    } else if (!mayBeShown(frame.url)) {
      this.#failed(frame.url, 'vitrine:scheme-refused');
      const page = this.#options.sessions.page;
      if (page) quietly(page.send('Page.navigate', { url: BLANK }));
    }
  }

  #failed(url: string, errorText: string): void {
    this.#destination = undefined;
    const reason = this.#options.reasonFor(url);
    this.#options.hooks.navigationFailed.call({
      frame: MAIN_FRAME,
      url,
      errorText: reason && errorText === EMPTY_ERROR ? 'vitrine:egress' : errorText,
      ...(reason ? { reason: { code: reason.code, message: reason.message } } : {}),
    });
    this.#setState('ready', url);
  }

  #setState(state: 'loading' | 'ready', url: string): void {
    if (state === 'ready' && this.#state === 'ready') return;
    if (state === 'loading') {
      this.#isCommitted = false;
      this.#loads += 1;
    }
    this.#state = state;
    this.#options.onState(state, url);
  }

  #url(): string {
    return this.#options.frames.get(MAIN_FRAME)?.url ?? '';
  }
}
