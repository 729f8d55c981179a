import type { Log } from '../../../core/contracts/scope.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { Session, SessionTab } from '../../contracts/session-scope.ts';
import type { KeptCookies } from '../../base/kept-cookies.ts';
import type { PageBudgets, WorkKind } from '../../base/page-budgets.ts';
import type { Person } from '../../base/person.ts';
import { SessionPlugins } from '../../plugins/session-plugins.ts';
import { bandwidthAction } from '../../policy/bandwidth.ts';
import type { BandwidthAction } from '../../policy/bandwidth.ts';
import type { PersonPolicy } from '../../policy/person-policy.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import { originOfWorker, WorkerMeters } from '../budget/worker-meters.ts';
import type { EgressReason } from '../egress/reasons.ts';
import { quietly } from '../page/target-defaults.ts';
import { personUserAgent } from '../tab/person-user-agent.ts';
import { isOpenable } from '../../base/addresses.ts';
import { AGAIN, initiatorOf, LED } from '../tab/initiator.ts';
import { keepToHost } from '../tab/keep-to-host.ts';
import { changeNextRequest } from '../tab/next-request.ts';
import type { Tab } from '../tab/tab.ts';
import type { Running } from './browser-supply.ts';
import { answerExtension, isExtensionWorker } from './extension-calls.ts';
import { endPage } from './end-page.ts';
import { onceThere } from './once-there.ts';
import { OpenedWindows } from './opened-windows.ts';
import { SessionBrowser } from './session-browser.ts';
import { SessionTabs } from './session-tabs.ts';
import { SurrogateAccess } from './surrogate-access.ts';
import type { DownloadSource } from './surrogate-downloads.ts';
import { TabPrewarmer } from './tab-prewarmer.ts';
import { TabRecovery } from './tab-recovery.ts';
import { TabRest } from './tab-rest.ts';

/** Time after which a page that is gone has been closed, and not lost with its browser, in ms. */
const CLOSED_AFTER_MS = 300;

interface SessionOptions {
  readonly person: Person;
  readonly cid: string;
  /** Takes a surrogate for this person. @throws AppError `pool-depleted`. */
  readonly take: (scale?: number) => Promise<Running>;
  readonly policy: PersonPolicy;
  readonly kept: KeptCookies;
  readonly budgets: PageBudgets;
  /** Delay after the load of a page before the page of the next tab is opened, in ms. */
  readonly spareMs: number;
  /** Time after which the page of a hidden tab is frozen, in ms. */
  readonly freezeMs: number;
  readonly onCrash: () => void;
  /** Called with every fault of a client, page or plugin: its source and its code. */
  readonly onFault: (from: string, code: string) => void;
  /** See `OpenedWindowsOptions.open`. */
  readonly openWindow: (request: PairRequest, page: CdpSession, isAsked: boolean) => Promise<Tab>;
  /** Called when pages are frozen or discarded, or go on. */
  readonly onRest: () => void;
  /** Called when a prewarmed tab, or the window of a page, is never claimed. */
  readonly onUntaken: (tab: Tab) => void;
  /** Called when a page has been closed by itself, or by its opener. */
  readonly onPageClosed: (tab: Tab) => void;
  readonly log: Log;
}

/** One person's surrogate and its tabs. Replaces a surrogate that dies. The caller closes it. */
export class PersonSession {
  readonly person: Person;
  readonly cid: string;
  readonly startedAt = performance.now();
  readonly tabs = new Map<string, Tab>();
  readonly prewarmer = new TabPrewarmer<Tab>((tab) => this.#options.onUntaken(tab));
  /** Windows that pages have opened, until they are shown. */
  readonly windows: OpenedWindows;
  /** The session as its plugins see it. */
  readonly seen: Session;
  /** The session halves of the person's plugins. */
  readonly plugins: SessionPlugins;
  readonly #options: SessionOptions;
  readonly #browser: SessionBrowser;
  readonly #recovery: TabRecovery;
  readonly #rest: TabRest;
  readonly #tabsSeen = new SessionTabs();
  readonly #workers: WorkerMeters;
  #closed = false;

  constructor(options: SessionOptions) {
    const { person, cid, policy, log } = options;
    this.#options = options;
    this.person = person;
    this.cid = cid;
    this.#workers = new WorkerMeters(options.budgets);
    const mayRestoreTabs = (): boolean => policy.decide().settings.client_capabilities.restore_tab;
    const access = new SurrogateAccess({
      surrogate: async () => (await this.#browser.running()).surrogate,
      targets: () => this.#browser.targets,
      pages: () =>
        [...this.tabs].flatMap(
          ([
            id,
            {
              sessions: { page },
            },
          ]) => (page ? [[id, page] as const] : []),
        ),
      root: () => this.#browser.current?.surrogate.connection.root,
      exchange: () => this.#browser.current?.surrogate.exchange,
      tab: (id) => this.tabs.get(id),
      sourceOf: (frameId) => this.#sourceOf(frameId),
    });
    this.#browser = new SessionBrowser({
      ...options,
      mayRestoreTabs,
      popup: (page) => this.windows.opened(page),
      worker: (worker) => this.#worker(worker, access),
      onBegun: () => access.renew(),
      onLost: (why) => this.#recovery.browserLost(why),
      tabs: () => this.tabs.size,
    });
    this.windows = new OpenedWindows({
      tabs: this.tabs,
      targets: () => this.#browser.targets,
      open: options.openWindow,
      end: options.onUntaken,
      log,
    });
    this.#recovery = new TabRecovery({
      cid,
      browser: this.#browser,
      tabs: this.tabs,
      mayRestoreTabs,
      isDiscarded: (tab) => this.#rest.isDiscarded(tab),
      open: (tab, page, url) => this.#openAgain(tab, page, url),
      closeTab: (tab, reason) => this.closeTab(tab, reason),
      onCrash: options.onCrash,
      log,
    });
    this.#rest = new TabRest({
      tabs: this.tabs,
      freezeMs: options.freezeMs,
      browser: this.#browser,
      open: (tab, page, url) => this.#openAgain(tab, page, url),
      closeTab: (tab, reason) => this.closeTab(tab, reason),
      onChange: options.onRest,
      log,
    });
    this.seen = this.#tabsSeen.as({ cid, person: person.subject, policy: () => policy.decide().settings });
    this.plugins = new SessionPlugins({
      session: this.seen,
      surrogateOf: (plugin) => access.of(plugin),
      onFault: (fault) => options.onFault('plugin', fault.code),
      log,
    });
  }

  /** User agent of the surrogate. Only available once a tab's page is open. */
  userAgent(): UserAgent {
    if (!this.#browser.current) throw new Error('a tab has no surrogate');
    return this.#browser.current.surrogate.userAgent;
  }

  reasonFor(url: string): EgressReason | undefined {
    return this.#browser.current?.egress.reasonFor(url);
  }

  /**
   * Opens a page, and a connection to a site, before a tab is paired for it. An unused page is kept for another tab.
   */
  expectTab(url: string): void {
    quietly(this.#browser.running().then(({ egress }) => egress.expect(url)));
    this.#browser.prepareSpare();
  }

  /** Opens a blank page for a tab on a screen of that ratio. @throws AppError `pool-depleted`, `cdp-closed`, or as CdpSession.send. */
  openPage(ratio?: number): Promise<CdpSession> {
    return this.#browser.openPage(ratio);
  }

  /** Closes a page that no tab has. */
  closePage(page: CdpSession): void {
    this.#browser.closePage(page);
  }

  /** Pages of tabs that nobody looks at. */
  get rest(): TabRest {
    return this.#rest;
  }

  /** Bytes of all traffic of its surrogates. */
  get bytes(): number {
    return this.#browser.bytes;
  }

  /** Notifies a tab's page that it is visible or hidden. */
  show(tab: Tab, isShown: boolean): void {
    if (isShown) this.#rest.wake(tab);
    const { page } = tab.sessions;
    const { targets } = this.#browser;
    if (page && targets) quietly(targets.show(page, isShown));
  }

  /** Adds a tab with the page that was opened for it; without an address that is a window which goes its own way. @throws AppError `tab-closed`, retryable, when the session or its surrogate has ended meanwhile. */
  add(tab: Tab, page: CdpSession, url: string | undefined): void {
    if (this.#closed || !this.#browser.current) {
      tab.close('session ended');
      throw new AppError('tab-closed', 'The session, or its surrogate, has ended.', { retryable: true });
    }
    this.tabs.set(tab.id, tab);
    this.#tabsSeen.opened(tab);
    tab.hooks.clientAttached.tap('core', () => {
      this.#rest.wake(tab);
      this.#recovery.attached(tab);
    });
    tab.setBandwidth(this.#bandwidth());
    if (url === undefined) this.#open(tab, page, undefined);
    else this.#open(tab, page, url, () => this.#prepare(tab, page, url));
  }

  /**
   * Notifies the tabs when the session's traffic has passed a threshold of the policy, or is below it again (S-070); ends pages that are
   * past their budgets. Called once a second.
   */
  meter(): void {
    const bandwidth = this.#bandwidth();
    for (const tab of this.tabs.values()) tab.setBandwidth(bandwidth);
    this.#browser.meter();
    this.#rest.look();
    for (const tab of this.tabs.values()) this.#judge(tab);
    for (const { worker, kind } of this.#workers.past()) this.#endWorker(worker, kind);
  }

  /** The action of the policy on the session's traffic. */
  #bandwidth(): BandwidthAction {
    return bandwidthAction(this.#browser.bytes, this.#options.policy.decide().settings.bandwidth);
  }

  /** A tab as plugins of the session see it; undefined once it has ended. */
  seenAs(tab: Tab): SessionTab | undefined {
    return this.#tabsSeen.of(tab);
  }

  /** Ends a tab and closes its page. */
  closeTab(tab: Tab, reason: string, reconnect = false): void {
    this.tabs.delete(tab.id);
    this.#tabsSeen.closed(tab);
    this.windows.ended(tab);
    this.#recovery.forget(tab);
    this.#rest.forget(tab);
    const { page } = tab.sessions;
    tab.close(reason, reconnect);
    if (page) this.closePage(page);
  }

  /** Replaces the page of a tab that has crashed, or does not respond, where that is permitted. */
  replacePage(tab: Tab): void {
    this.#recovery.replacePage(tab);
  }

  /** Ends all tabs, and the surrogate with its profile; its cookies are kept for its person only if `keepsCookies`. Idempotent. */
  async close(reason: string, reconnect = false, keepsCookies = false): Promise<void> {
    this.#closed = true;
    for (const tab of [...this.tabs.values()]) this.closeTab(tab, reason, reconnect);
    this.plugins.dispose(new AppError('session-over', reason));
    await this.#browser.close(keepsCookies);
  }

  /** The body of an isolated POST, and the referrer of a link of another site, are the first document's only. */
  async #prepare(tab: Tab, page: CdpSession, url: string): Promise<void> {
    const { is_post, body = '', content_type = '' } = tab.request;
    const initiator = initiatorOf(tab.request);
    const referrer = initiator.by === 'link' ? initiator.referrer : '';
    const { targets } = this.#browser;
    if ((is_post !== true && referrer === '') || !targets) return;
    const post = is_post === true ? { body, contentType: content_type } : undefined;
    await changeNextRequest(await targets.attachAgain(page), url, { post, referrer });
  }

  /** Opens an address in the place of a lost page. Where nobody has asked for it, its site can lead nowhere else in the person's name. */
  #openAgain(tab: Tab, page: CdpSession, url: string | undefined): void {
    if (url === undefined) return this.#open(tab, page, url);
    const isAsked = tab.load.initiatorAgain(url) !== AGAIN;
    const keep = async (): Promise<void> => {
      const session = await this.#browser.targets?.attachAgain(page);
      const led = (to: string): void => {
        if (tab.sessions.page === page && isOpenable(to)) tab.load.navigate(to, LED);
      };
      if (session) await keepToHost(session, url, led);
    };
    this.#open(tab, page, url, isAsked || !/^https?:/.test(url) ? undefined : keep);
  }

  #open(tab: Tab, page: CdpSession, url: string | undefined, prepare?: () => Promise<void>): void {
    this.#rest.replaced(tab);
    tab.open(page, url, prepare);
    if (!tab.emulation.visible) this.show(tab, false); // it replaces a page that was hidden
    page.on('Page.loadEventFired', () => {
      this.#browser.lookForCookies();
      setTimeout(() => {
        if (this.tabs.has(tab.id) && this.#browser.current) this.#browser.prepareSpare();
      }, this.#options.spareMs).unref();
    });
    page.on('Inspector.targetCrashed', () => {
      if (tab.sessions.page === page) this.replacePage(tab);
    });
    // A browser that ends detaches its pages first; another may have taken its place by then.
    const root = this.#browser.current?.surrogate.connection.root;
    const isClosed = (): boolean =>
      tab.sessions.page === undefined && root?.closed.aborted === false && !this.#rest.isDiscarded(tab);
    const closed = (): void => {
      if (isClosed()) this.#pageIsOver(tab, isClosed);
    };
    onAbort(page.closed, () => void setTimeout(closed, CLOSED_AFTER_MS).unref());
  }

  /** Ends a tab without a page, or with one that shows nothing, once its client can hear of it, if that still `holds` then. */
  #pageIsOver(tab: Tab, holds: () => boolean): void {
    onceThere(tab, () => {
      if (this.tabs.get(tab.id) === tab && holds()) this.#options.onPageClosed(tab);
    });
  }

  /** Slows or ends the page of a tab that is past its budgets. */
  #judge(tab: Tab): void {
    const verdict = tab.meter.look();
    if (!verdict) return;
    const { onFault, log } = this.#options;
    const { kind, action } = verdict;
    onFault('page', action === 'end' ? `budget-${kind}` : `slowed-${kind}`);
    if (action === 'slow') {
      log.info('page slowed', { tab: tab.id, budget: kind });
      return;
    }
    this.#endPage(tab, kind);
  }

  /** Ends a shared or service worker that is past its budgets, with the pages of its origin: they would start it again. */
  #endWorker(worker: CdpSession, kind: WorkKind): void {
    const { onFault, log } = this.#options;
    const origin = originOfWorker(worker);
    onFault('page', `budget-${kind}`);
    log.warn('worker ended', { type: worker.targetInfo?.type, origin, budget: kind });
    this.#browser.targets?.close(worker);
    if (origin === undefined) return;
    for (const tab of this.tabs.values())
      void hasOrigin(tab, origin).then((found) => {
        if (found && this.tabs.get(tab.id) === tab) this.#endPage(tab, kind);
      });
  }

  #endPage(tab: Tab, kind: WorkKind): void {
    void endPage(tab, kind, {
      tabs: this.tabs,
      newPage: () => this.#browser.newPage(),
      closePage: (page) => this.closePage(page),
      open: (...opened) => this.#open(...opened),
      closeTab: (...closed) => this.closeTab(...closed),
      log: this.#options.log,
    });
  }

  /** The tab and the frame that CDP knows by an id; that of a page is its main frame's. */
  #sourceOf(frameId: string): DownloadSource | undefined {
    for (const tab of this.tabs.values()) {
      const frame = tab.frames.frameOf(frameId);
      if (frame === undefined && tab.sessions.page?.targetInfo?.targetId !== frameId) continue;
      const seen = this.seenAs(tab);
      const opening = this.windows.openingOfEmpty(tab);
      const isEmpty = (): boolean => this.windows.openingOfEmpty(tab) !== undefined;
      return (
        seen && {
          tab: seen,
          frame,
          opener: opening && this.seenAs(opening.opener),
          isAsked: tab.gesture.isActive() || opening?.isAsked === true,
          wayTo: (url) => tab.load.redirects.takeTo(url, frameId),
          read: () => opening && this.#pageIsOver(tab, isEmpty),
        }
      );
    }
    return undefined;
  }

  #worker(worker: CdpSession, access: SurrogateAccess): void {
    const [tab] = this.tabs.values();
    const { current } = this.#browser;
    const actedAt = (): number => Math.max(...[...this.tabs.values()].map(({ gesture }) => gesture.actedAt));
    if (isExtensionWorker(worker)) answerExtension(worker, (plugin) => access.handlerOf(plugin), actedAt);
    else if (tab && current)
      quietly(worker.send('Emulation.setUserAgentOverride', personUserAgent(tab.request, current.surrogate.userAgent)));
    if (isExtensionWorker(worker)) quietly(worker.send('Runtime.runIfWaitingForDebugger'));
    else this.#workers.add(worker);
  }
}

/** Whether a tab shows a document of an origin, as the browser's process knows it. Never rejects. */
async function hasOrigin({ frames }: Tab, origin: string): Promise<boolean> {
  const origins = await Promise.allSettled(frames.all().map(({ id }) => frames.originOf(id)));
  return origins.some((each) => each.status === 'fulfilled' && each.value === origin);
}
