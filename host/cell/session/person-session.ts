import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { EgressReason } from '../egress/reasons.ts';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import type { Person } from '../../link.ts';
import { bandwidthAction } from '../../policy/bandwidth.ts';
import type { BandwidthAction } from '../../policy/bandwidth.ts';
import type { PersonPolicy } from '../../policy/person-policy.ts';
import { CookieJar } from './cookie-jar.ts';
import { CrashCount } from '../tab/crash-count.ts';
import { TabPrewarmer } from './tab-prewarmer.ts';
import type { KeptCookies } from '../../kept-cookies.ts';
import { personUserAgent } from '../tab/person-user-agent.ts';
import { followPopup } from './popups.ts';
import type { Session, SessionTab } from '../../contracts/session-scope.ts';
import type { Running } from './browser-supply.ts';
import { SessionPlugins } from '../../plugins/session-plugins.ts';
import { answerExtension, isExtensionWorker } from './extension-calls.ts';
import { SurrogateAccess } from './surrogate-access.ts';
import { SessionTabs } from './session-tabs.ts';
import { postNext } from '../tab/post-navigation.ts';
import type { Tab } from '../tab/tab.ts';
import { reportLoss } from './report-loss.ts';
import { quietly } from '../page/target-defaults.ts';
import { Targets } from './targets.ts';

/** A browser that does not answer for so long is taken for dead. */
const PING_EVERY_MS = 5000;
const PING_DEADLINE_MS = 8000;
/** What pages set beside their loading is looked for this often, while there is traffic. */
const LOOK_FOR_COOKIES_MS = 5000;
/** Windows that pages may have open, unseen, at once. */
const MAX_POPUPS = 5;

interface SessionOptions {
  readonly person: Person;
  readonly cid: string;
  /** Gets a surrogate for this person. @throws AppError `pool-depleted`. */
  readonly take: () => Promise<Running>;
  readonly policy: PersonPolicy;
  readonly kept: KeptCookies;
  /** So long after a page has loaded the page of the next tab is opened, in ms. */
  readonly spareMs: number;
  readonly onCrash: () => void;
  /** Called with every fault of a client, page or plugin: whose, and its code. */
  readonly onFault: (from: string, code: string) => void;
  /** A tab that was begun ahead of its client is needed by none. */
  readonly onUntaken: (tab: Tab) => void;
  readonly log: Log;
}

/** One person's surrogate and the tabs in it. It replaces a surrogate that dies. Whoever made it closes it. */
export class PersonSession {
  readonly person: Person;
  readonly cid: string;
  readonly startedAt = performance.now();
  readonly tabs = new Map<string, Tab>();
  readonly prewarmer = new TabPrewarmer<Tab>((tab) => this.#options.onUntaken(tab));
  /** The session halves of the person's plugins. */
  readonly plugins: SessionPlugins;
  readonly #access = new SurrogateAccess({
    surrogate: async () => (await this.#surrogate()).surrogate,
    targets: () => this.#targets,
    root: () => this.#current?.surrogate.connection.root,
  });
  readonly #tabsSeen = new SessionTabs();
  /** The session as its plugins see it. */
  readonly seen: Session;
  readonly #options: SessionOptions;
  readonly #crashes = new CrashCount();
  readonly #popups = new Set<CdpSession>();
  /** Pages in whose place another comes, or has come. */
  readonly #replaced = new WeakSet<CdpSession>();
  /** Tabs whose surrogate is gone: how, and where each is to come back once somebody is attached to it. */
  readonly #adrift = new Map<Tab, { readonly why: string; readonly url: string }>();
  #restoring: Promise<void> | undefined;
  /** A blank page that waits for the next tab: opening one takes a tenth of a second of the browser's time. */
  #spare: Promise<CdpSession> | undefined;
  #running: Promise<Running> | undefined;
  #current: Running | undefined;
  #targets: Targets | undefined;
  readonly #jar: CookieJar;
  /** When the jar was filled last, and how much traffic there had been. */
  #looked = { at: 0, bytes: 0 };
  /** Bytes through surrogates that are gone. */
  #spent = 0;
  #bandwidth: BandwidthAction = 'allow';
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.person = options.person;
    this.cid = options.cid;
    const { person, kept, log } = options;
    this.seen = this.#tabsSeen.as({
      cid: this.cid,
      person: person.subject,
      policy: () => options.policy.decide().settings,
    });
    this.plugins = new SessionPlugins({
      session: this.seen,
      surrogateOf: (plugin) => this.#access.of(plugin),
      onFault: (fault) => options.onFault('plugin', fault.code),
      log,
    });
    this.#jar = new CookieJar({ subject: person.subject, kept, mayKeep: () => this.#mayRestoreTabs(), log });
  }

  /** What the surrogate says of itself. Only asked for once a tab's page is open. */
  userAgent(): UserAgent {
    if (!this.#current) throw new Error('a tab has no surrogate');
    return this.#current.surrogate.userAgent;
  }

  reasonFor(url: string): EgressReason | undefined {
    return this.#current?.egress.reasonFor(url);
  }

  /** Opens a page, and a connection to a site, ahead of a tab that is about to be paired for it. A page that is not needed waits for another. */
  expectTab(url: string): void {
    quietly(this.#surrogate().then(({ egress }) => egress.expect(url)));
    this.#openSpare();
  }

  /** Opens a blank page for a tab. @throws AppError `pool-depleted`, `cdp-closed`, or as CdpSession.send. */
  async openPage(): Promise<CdpSession> {
    const spare = this.#spare;
    this.#spare = undefined;
    const page = await spare?.catch(() => undefined); // what stands in its way stands in the next one's too, or does not any longer
    return page?.closed.aborted === false ? page : this.#newPage();
  }

  #openSpare(): void {
    if (this.#spare) return;
    const spare = (this.#spare = this.#newPage());
    const drop = (): boolean => {
      const isSpare = this.#spare === spare;
      if (isSpare) this.#spare = undefined;
      return isSpare;
    };
    spare.then((page) => {
      quietly(page.send('Inspector.enable'));
      page.on('Inspector.targetCrashed', () => {
        if (drop()) this.closePage(page);
      });
    }, drop);
  }

  async #newPage(): Promise<CdpSession> {
    await this.#surrogate();
    if (!this.#targets) throw new AppError('cdp-closed', 'The surrogate is gone.', { retryable: true });
    return this.#targets.open();
  }

  /** Shows or hides a tab to its page. */
  show(tab: Tab, isShown: boolean): void {
    const { page } = tab.sessions;
    if (page) this.#targets?.show(page, isShown);
  }

  /** Adds a tab with the page that was opened for it. @throws AppError `tab-closed`, retryable, when the session or its surrogate has ended meanwhile. */
  add(tab: Tab, page: CdpSession, url: string): void {
    if (this.#closed || !this.#current) {
      tab.close('session ended');
      throw new AppError('tab-closed', 'The session, or its surrogate, has ended.', { retryable: true });
    }
    this.tabs.set(tab.id, tab);
    this.#tabsSeen.opened(tab);
    tab.hooks.clientAttached.tap('core', () => {
      if (this.#adrift.has(tab)) this.#bringBack();
    });
    tab.setBandwidth(this.#bandwidth);
    this.#open(tab, page, url, () => this.#post(tab, page, url));
  }

  /** Tells the tabs when the session's traffic has passed a threshold of the policy, or is below it again (S-070). */
  meter(): void {
    const { bandwidth } = this.#options.policy.decide().settings;
    this.#bandwidth = bandwidthAction(this.#spent + bytesOf(this.#current), bandwidth);
    for (const tab of this.tabs.values()) tab.setBandwidth(this.#bandwidth);
    const [now, bytes] = [performance.now(), bytesOf(this.#current)];
    if (bytes === this.#looked.bytes || now - this.#looked.at < LOOK_FOR_COOKIES_MS) return;
    this.#looked = { at: now, bytes };
    this.#look();
  }

  #look(): void {
    if (this.#current) this.#jar.look(this.#current.surrogate.connection.root);
  }

  /** A tab as plugins of the session see it; undefined once it has ended. */
  seenAs(tab: Tab): SessionTab | undefined {
    return this.#tabsSeen.of(tab);
  }

  /** Ends a tab and closes its page. */
  closeTab(tab: Tab, reason: string, reconnect = false): void {
    this.tabs.delete(tab.id);
    this.#tabsSeen.closed(tab);
    this.#adrift.delete(tab);
    const { page } = tab.sessions;
    tab.close(reason, reconnect);
    if (page) this.closePage(page);
  }

  /** Ends all tabs, and the surrogate with its profile. Idempotent. */
  async close(reason: string, reconnect = false): Promise<void> {
    this.#closed = true;
    for (const tab of [...this.tabs.values()]) this.closeTab(tab, reason, reconnect);
    this.plugins.dispose(new AppError('session-over', reason));
    await this.#running?.then((running) => running.close()).catch(() => undefined); // one that never came needs no closing
    await this.#jar.empty();
  }

  #surrogate(): Promise<Running> {
    this.#running ??= this.#options.take().then(
      async (running) => {
        this.#begin(running);
        await this.#jar.fill(running.surrogate.connection.root);
        return running;
      },
      (thrown: unknown) => {
        this.#running = undefined;
        throw thrown;
      },
    );
    return this.#running;
  }

  #begin(running: Running): void {
    this.#current = running;
    running.egress.decideBy((destination) => this.#options.policy.mayReach(destination));
    const { connection, exited } = running.surrogate;
    this.#access.renew();
    this.#targets = new Targets(connection, {
      popup: (page) => this.#popup(page),
      worker: (worker) => this.#worker(worker),
    });
    let isOver = false;
    const over = (why: string): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      void running.close();
      if (!this.#closed) this.#lost(running, why);
    };
    const timer = setInterval(() => {
      connection.root
        .send('Browser.getVersion', undefined, { deadlineMs: PING_DEADLINE_MS })
        .catch((thrown: unknown) => {
          if (toAppError(thrown).code === 'cdp-timeout') over('hung');
        });
    }, PING_EVERY_MS);
    timer.unref();
    if (connection.root.closed.aborted) over('exited');
    else connection.root.closed.addEventListener('abort', () => over('exited'), { once: true });
    void exited.then(() => over('exited'));
  }

  /** The browser is gone: all tabs of this person, and nobody else's, go on in another one. */
  #lost(running: Running, why: string): void {
    const { cid, tabs } = this;
    void reportLoss(running.surrogate, { cid, why, tabs: tabs.size }, this.#options.log);
    this.#options.onCrash();
    this.#spent += bytesOf(running);
    this.#running = this.#current = this.#targets = undefined;
    const mayRestore = this.#mayRestoreTabs() && (this.tabs.size === 0 || this.#crashes.mayRestore());
    for (const tab of this.tabs.values()) {
      if (!mayRestore) this.#giveUp(tab, why);
      else if (!this.#adrift.has(tab)) this.#adrift.set(tab, { why, url: tab.load.destination ?? tab.url });
    }
    this.#bringBack();
  }

  #bringBack(): void {
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined));
  }

  /**
   * Brings the tabs back that somebody is attached to, one after the other; the others would cost a surrogate, and perhaps the next one,
   * for nobody. The surrogate that they are brought back in may be lost as well.
   */
  async #restore(): Promise<void> {
    const attached = () => [...this.#adrift].find(([{ channel }]) => channel.attached);
    for (let next = attached(); next; next = attached()) {
      const [tab, { why, url }] = next;
      try {
        const page = await this.openPage();
        page.closed.throwIfAborted();
        if (!this.#current) throw new AppError('cdp-closed', 'The surrogate is gone.', { retryable: true }); // one that hangs closes late
        if (this.#adrift.delete(tab)) {
          tab.lost(why, true);
          this.#open(tab, page, tab.load.destination ?? url); // whoever came back may have typed another
        } else this.closePage(page); // the tab was closed meanwhile
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        if (!this.#adrift.has(tab) || (code === 'cdp-closed' && !this.#current)) continue; // with the next surrogate, while losses are few
        this.#options.log.error('tab not restored', { cid: this.cid, tab: tab.id, error: message });
        this.#giveUp(tab, why);
      }
    }
  }

  #giveUp(tab: Tab, why: string): void {
    tab.lost(why, false);
    this.closeTab(tab, why);
  }

  /** An isolated POST carries its body to the page's first document, and to that only. */
  async #post(tab: Tab, page: CdpSession, url: string): Promise<void> {
    const { is_post, body = '', content_type = '' } = tab.request;
    if (is_post !== true || !this.#targets) return;
    await postNext(await this.#targets.attachAgain(page), url, { body, contentType: content_type });
  }

  #open(tab: Tab, page: CdpSession, url: string, prepare?: () => Promise<void>): void {
    tab.open(page, url, prepare);
    if (!tab.emulation.visible) this.show(tab, false); // it takes the place of one that was hidden
    page.on('Page.loadEventFired', () => {
      this.#look();
      setTimeout(() => {
        if (this.tabs.has(tab.id) && this.#current) this.#openSpare();
      }, this.#options.spareMs).unref();
    });
    page.on('Inspector.targetCrashed', () => {
      if (tab.sessions.page === page) this.replacePage(tab);
    });
  }

  /** The page of a tab has crashed, or answers nothing at all: another takes its place, where that is allowed. */
  replacePage(tab: Tab): void {
    const { page } = tab.sessions;
    if (!page || this.#replaced.has(page)) return;
    this.#replaced.add(page);
    const address = tab.load.destination ?? tab.url;
    this.#options.log.error('page crashed', { cid: this.cid, tab: tab.id });
    this.#options.onCrash();
    if (this.#mayRestoreTabs() && tab.crashed()) this.#reopen(tab, page, address);
    else this.#giveUp(tab, 'crashed');
  }

  /** A renderer is gone, its browser is not: a new page takes its place. */
  #reopen(tab: Tab, crashed: CdpSession, url: string): void {
    // The spare one may have gone with the same renderer, or may be about to.
    this.#newPage().then(
      (page) => {
        const targets = this.#targets;
        if (this.tabs.get(tab.id) !== tab || !targets) {
          targets?.close(page);
          return;
        }
        tab.lost('crashed', true);
        this.#open(tab, page, url);
        targets.close(crashed);
      },
      (thrown: unknown) => {
        this.#options.log.error('tab not restored', { cid: this.cid, tab: tab.id, error: toAppError(thrown).message });
        if (this.#current) this.#giveUp(tab, 'crashed'); // otherwise the whole surrogate is being replaced
      },
    );
  }

  #mayRestoreTabs(): boolean {
    return this.#options.policy.decide().settings.client_capabilities.restore_tab;
  }

  /** Closes a page that no tab has. */
  closePage(page: CdpSession): void {
    this.#targets?.close(page);
  }

  #popup(page: CdpSession): void {
    const targets = this.#targets;
    const opener = page.targetInfo?.openerId;
    const tab = [...this.tabs.values()].find(({ sessions }) => sessions.page?.targetInfo?.targetId === opener);
    const close = (): void => targets?.close(page);
    if (!tab || this.#popups.size >= MAX_POPUPS) {
      close();
      return;
    }
    this.#popups.add(page);
    page.closed.addEventListener('abort', () => this.#popups.delete(page), { once: true });
    followPopup(tab, page, close);
  }

  #worker(worker: CdpSession): void {
    const [tab] = this.tabs.values();
    const running = this.#current;
    if (isExtensionWorker(worker)) answerExtension(worker, (plugin) => this.#access.handlerOf(plugin));
    else if (tab && running)
      quietly(worker.send('Emulation.setUserAgentOverride', personUserAgent(tab.request, running.surrogate.userAgent)));
    quietly(worker.send('Runtime.runIfWaitingForDebugger'));
  }
}

const bytesOf = (running: Running | undefined): number =>
  running ? running.egress.bytesIn + running.egress.bytesOut : 0;
