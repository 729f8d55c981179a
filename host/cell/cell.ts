import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { CLOSED_BY_PAGE } from '../../core/protocol/closed-by-page.ts';
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../../core/protocol/pairing.ts';
import type { AsleepSession, AsleepTab, CellCounts } from '../cells/protocol.ts';
import type { SystemFonts } from '../fonts/system-fonts.ts';
import type { AskedShell, ChannelNames, PostedNames } from '../contracts/link.ts';
import type { ConvertPicture } from '../contracts/pictures.ts';
import type { Person } from '../base/person.ts';
import type { RouteRequest } from '../contracts/routes.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import type { HostAccessOf } from '../plugins/host-access.ts';
import { logWith } from '../plugins/plugin-scope.ts';
import type { PersonGrants } from '../policy/person-grants.ts';
import type { PersonPolicy } from '../policy/person-policy.ts';
import { randomToken } from '../base/random-token.ts';
import type { ChannelEnd, ChannelTransport } from './channel/channel-transport.ts';
import { answerRoute } from './answer-route.ts';
import type { RouteOutcome } from './answer-route.ts';
import { newTab, pairAnswer } from './new-tab.ts';
import type { TabParts } from './new-tab.ts';
import type { CellLimits } from './cell-limits.ts';
import type { ResourceAnswer } from './resources/resource-answer.ts';
import { createTabResources } from './resources/tab-resources.ts';
import type { TabResources } from './resources/tab-resources.ts';
import type { BrowserSupply } from './session/browser-supply.ts';
import type { KeptCookies } from '../base/kept-cookies.ts';
import { Departures } from './session/departures.ts';
import { returnTo } from './session/discarded-tabs.ts';
import { isAnyLeft, LEFT_MS, oldestDetachedTab } from './session/oldest-detached-tab.ts';
import { PersonSession } from './session/person-session.ts';
import { applyPolicy, limitsOf } from './session/policy-limits.ts';
import { hostRefusal } from '../policy/host-refusal.ts';
import { isSamePage } from './session/tab-prewarmer.ts';
import { isOpenable } from '../base/addresses.ts';
import type { CdpSession } from '../surrogate/cdp-session.ts';
import { comeBack } from './tab/come-back.ts';
import type { Tab } from './tab/tab.ts';

/** Interval at which a new tab that waits for room looks for it, in ms. */
const ROOM_LOOK_MS = 250;

/** Everything a cell is given before it has a person. */
export interface CellParts {
  readonly browsers: BrowserSupply;
  /** The built extension with the page halves. */
  readonly extensionDir: string;
  readonly plugins: readonly RegisteredPlugin[];
  readonly fonts: SystemFonts;
  /** Converts pictures where the policy says so. */
  readonly convertPicture: ConvertPicture;
  readonly accessOf: HostAccessOf;
  readonly limits: CellLimits;
  /** Called with every fault of a client, page or plugin: whose, and its code. */
  readonly onFault: (from: string, code: string) => void;
  readonly log: Log;
}

/** The person that a cell serves, with their policy, grants and kept cookies. */
interface CellPerson {
  readonly person: Person;
  readonly policy: PersonPolicy;
  readonly grants: PersonGrants;
  readonly kept: KeptCookies;
}

/** Moments of a cell. */
interface CellEvents {
  /**
   * The session is over by itself: nobody has come back in time, or its lifetime has ended. Called once, with what is kept of it for its
   * person's return.
   */
  readonly onReleased: (kept: AsleepSession | null) => void;
  /** A tab has been opened or has ended, or a browser has crashed. */
  readonly onTabs: () => void;
}

/** Interval of the look for tabs and sessions that have ended. */
const SWEEP_MS = 1000;

/** One person's session: their surrogate, tabs and host halves. Whoever made it closes it. */
export class Cell {
  readonly person: Person;
  readonly #parts: CellParts;
  readonly #policy: PersonPolicy;
  readonly #resources: TabResources;
  readonly #tabParts: TabParts;
  readonly #session: PersonSession;
  readonly #sweep: NodeJS.Timeout;
  readonly #unwatch: () => void;
  readonly #events: CellEvents;
  /** When the last tab went; undefined while there is one. */
  #emptySince: number | undefined = performance.now();
  /** Tabs that are being opened. */
  #opening = 0;
  #crashes = 0;
  readonly #departures: Departures;
  #sleeping: Promise<AsleepSession | null> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: CellParts, { person, policy, grants, kept }: CellPerson, events: CellEvents) {
    this.person = person;
    this.#parts = parts;
    this.#policy = policy;
    this.#events = events;
    this.#resources = createTabResources((tab) => policy.decide(tab.url).settings, parts.convertPicture);
    const endRefused = (tab: Tab): void => this.#closeTab(tab, 'policy');
    this.#tabParts = { ...parts, policy, grants, resources: this.#resources, endRefused };
    const cid = randomToken();
    this.#session = new PersonSession({
      person,
      cid,
      take: (scale) => parts.browsers.take(scale),
      policy,
      kept,
      budgets: parts.limits.budgets,
      spareMs: parts.limits.spareMs,
      freezeMs: parts.limits.freezeMs,
      onRest: () => this.#events.onTabs(),
      onCrash: () => {
        this.#crashes += 1;
        this.#events.onTabs();
      },
      onFault: parts.onFault,
      openWindow: async (request, page, isAsked) => {
        // By itself a page must not put out what the person has left open.
        const hasRoom = isAsked ? this.#makeRoom() : this.#tabs < this.#tabLimit;
        if (!hasRoom) throw new AppError('tab-limit', 'There are too many tabs.');
        return this.#open(request, page);
      },
      onUntaken: (tab) => {
        if (this.#session.tabs.get(tab.id) === tab) this.#closeTab(tab, 'not asked for');
      },
      onPageClosed: (tab) => this.#closeTab(tab, CLOSED_BY_PAGE),
      log: logWith(parts.log, { cid }),
    });
    this.#departures = new Departures(this.#session, parts.limits.tabsPerPerson, this.#closeTab.bind(this));
    this.#sweep = setInterval(() => {
      this.#release();
      this.#session.meter();
    }, SWEEP_MS);
    this.#sweep.unref();
    this.#unwatch = policy.onChange(() => {
      void applyPolicy(this.#tabParts, this.#session.tabs);
    });
  }

  /** A tab for this shell will probably be paired soon. Best effort. */
  expect(shell: AskedShell): void {
    const { url } = shell;
    if (this.#closing || !isOpenable(url) || hostRefusal(this.#policy, url) !== undefined) return;
    if (this.#tabs >= this.#tabLimit) return;
    const { tabs, prewarmer } = this.#session;
    // A tab that was left there may be what comes back.
    const isLeft = [...tabs.values()].some((tab) => !tab.channel.attached && isSamePage(tab.url, url));
    const foreseen = isLeft ? undefined : prewarmer.foresee(shell);
    if (foreseen) prewarmer.begin(foreseen, () => this.#open(foreseen));
    else this.#session.expectTab(url);
    this.#noteEmpty();
  }

  /** Pairs a tab. @throws AppError `cell-over` when the session has ended meanwhile: another cell has to begin. */
  async pair(request: PairRequest): Promise<PairAnswer> {
    if (this.#closing || this.#sleeping) throw new AppError('cell-over', 'The session has ended.', { retryable: true });
    this.#emptySince = undefined;
    const session = this.#session;
    try {
      session.prewarmer.learn(request);
      const begun = session.windows.claim(request.pid) ?? (await session.prewarmer.take(request));
      const isThere = begun !== undefined && session.tabs.get(begun.id) === begun;
      if (isThere) awaitClient(begun, request);
      else if (!(await this.#roomComes())) return { error: 'tab_limit' };
      return pairAnswer(this.#policy, session, isThere ? begun : await this.#open(request), request);
    } catch (thrown) {
      const fault = toAppError(thrown);
      this.#parts.log.error('not paired', { cid: session.cid, code: fault.code, error: fault.message });
      if (fault.code === 'pool-depleted') return { error: 'global_pool_depleted' };
      // A browser that is being ended refuses commands with any error.
      if (fault.retryable || fault.code === 'cdp-closed' || this.#isOver()) return { error: 'pairing_retry' };
      throw fault;
    } finally {
      this.#noteEmpty();
    }
  }

  /** The tab of a client that comes back. @throws AppError `session-not-found`; `cell-over` once the session sleeps: the gateway knows its tabs. */
  async repair(cid: string, request: RepairRequest): Promise<PairAnswer> {
    if (this.#sleeping) {
      await this.#sleeping;
      throw new AppError('cell-over', 'The session has ended.', { retryable: true });
    }
    const isAsleep = this.#session.cid === cid ? this.#departures.take(request.safe_rid) : undefined;
    if (isAsleep) return this.restore(isAsleep, request);
    const tab = this.#find((each) => this.#session.cid === cid && each.safeRid === request.safe_rid);
    awaitClient(tab, request);
    this.#session.rest.wake(tab);
    if (comeBack(tab, request)) this.#session.prewarmer.spare(request.url);
    return pairAnswer(this.#policy, this.#session, tab, request);
  }

  /** Opens a tab again that has ended while nobody was there, for its client, at its address and scrolled where it was. */
  async restore({ url, ...scroll }: AsleepTab, request: RepairRequest): Promise<PairAnswer> {
    // Without an entry of the page's history the person has typed an address.
    const isSame = request.hid !== undefined || isSamePage(request.url, url) || !isOpenable(request.url);
    // Nothing is posted a second time.
    const {
      tab_id: _tab,
      safe_rid: _rid,
      hid: _hid,
      dnt: _dnt,
      is_post: _post,
      content_type: _type,
      ...asked
    } = request;
    const answer = await this.pair(isSame ? { ...asked, url } : asked);
    const tab = this.#session.tabs.get(answer.tab_id ?? '');
    if (tab && isSame) returnTo(tab, scroll);
    return answer;
  }

  /** Memory is short: discards a page that nobody looks at, or has the browser give back some. */
  relieve(): void {
    void this.#session.rest.relieve();
  }

  async unpair({ safe_rid }: UnpairRequest): Promise<void> {
    this.#closeTab(
      this.#find((each) => each.safeRid === safe_rid),
      'unpaired',
    );
  }

  /** See `Link.attach`. */
  attach(names: ChannelNames, transport: ChannelTransport): ChannelEnd | undefined {
    const tab = this.#session.cid === names.cid ? this.#session.tabs.get(names.tabId) : undefined;
    return tab?.attach(names.chid, names.received, transport);
  }

  /** See `Link.receiveBodies`. @throws AppError as that rejects. */
  receiveBodies({ cid, tabId, chid, number }: PostedNames, frame: Uint8Array): void {
    const tab = this.#find((each) => this.#session.cid === cid && each.id === tabId);
    tab.channel.receiveBodies(chid, number, frame);
  }

  /** A resource of a tab by its token. */
  resource(kind: string, token: string): Promise<ResourceAnswer> {
    return this.#resources.fetch(kind, token);
  }

  /** See `Link.request`. Never rejects. */
  request(request: RouteRequest): Promise<RouteOutcome> {
    return answerRoute(this.#session, request, this.#parts.accessOf);
  }

  counts(): Omit<CellCounts, 'surrogates' | 'isWarm' | 'launches' | 'failedLaunches'> {
    const tabs = [...this.#session.tabs.values()];
    return {
      ...this.#session.rest.counts(),
      tabs: tabs.length,
      attached: tabs.filter(({ channel }) => channel.attached).length,
      crashes: this.#crashes,
    };
  }

  /** Ends all tabs and the surrogate. `reconnect`: clients are asked to reconnect. Idempotent. */
  close(reason: string, reconnect = false): Promise<void> {
    return this.#close(reason, reconnect, false);
  }

  /** Ends all tabs and the surrogate, and answers with what is kept for the person's return; null where the policy keeps nothing. */
  sleep(): Promise<AsleepSession | null> {
    this.#sleeping ??= (async () => {
      const { cid } = this.#session;
      const tabs = await this.#departures.all();
      const mayKeep = this.#policy.decide().settings.client_capabilities.restore_tab;
      const keeps = mayKeep && tabs.length > 0; // else nobody was left who could come back
      await this.#close('asleep', true, keeps); // a client that comes now comes back
      return keeps ? { cid, tabs: [...tabs] } : null;
    })();
    return this.#sleeping;
  }

  #close(reason: string, reconnect: boolean, keepsCookies: boolean): Promise<void> {
    this.#closing ??= (async () => {
      clearInterval(this.#sweep);
      this.#unwatch();
      await this.#session.close(reason, reconnect, keepsCookies);
    })();
    return this.#closing;
  }

  /** Asked again after waiting. */
  #isOver(): boolean {
    return this.#closing !== undefined;
  }

  /** Opens a tab, which begins to load its page; or one with a window of another page. @throws AppError as PersonSession.openPage, or `tab-closed`. */
  async #open(request: PairRequest, window?: CdpSession): Promise<Tab> {
    const session = this.#session;
    this.#opening += 1;
    try {
      const tab = await newTab(this.#tabParts, session, request);
      const { device_scale_factor: ratio } = request.render_params.device_metrics;
      const opened = window ? Promise.resolve(window) : session.openPage(ratio);
      try {
        const [page] = await Promise.all([opened, tab.activate()]);
        session.add(tab, page, window ? undefined : request.url);
        return tab;
      } catch (thrown) {
        tab.close('not paired');
        this.#resources.forget(tab);
        opened.then(
          (page) => session.closePage(page),
          () => undefined,
        ); // the failure is reported already
        throw thrown;
      }
    } finally {
      this.#opening -= 1;
      this.#events.onTabs();
    }
  }

  /** Whether another tab is within the person's limit; a prewarmed one, or the one detached longest, may have to make room for it. */
  #makeRoom(): boolean {
    if (this.#tabs < this.#tabLimit || this.#session.prewarmer.endOldest()) return true;
    const oldest = oldestDetachedTab(this.#session);
    if (oldest) this.#closeTab(oldest, 'room for another tab');
    return oldest !== undefined;
  }

  /** Waits for room where a tab was left a moment ago: the person may have closed it for this one. */
  async #roomComes(): Promise<boolean> {
    const end = performance.now() + LEFT_MS + ROOM_LOOK_MS;
    while (!this.#makeRoom()) {
      if (performance.now() > end || !isAnyLeft(this.#session)) return false;
      await delay(ROOM_LOOK_MS, undefined, { ref: false });
      if (this.#isOver()) throw new AppError('cell-over', 'The session has ended.', { retryable: true });
    }
    return true;
  }

  /** Tabs of the person, those that are being paired included. */
  get #tabs(): number {
    return this.#session.tabs.size + this.#opening;
  }

  get #tabLimit(): number {
    return limitsOf(this.#policy, this.#parts.limits).tabsPerPerson;
  }

  /** @throws AppError `session-not-found` */
  #find(isIt: (tab: Tab) => boolean): Tab {
    const tab = [...this.#session.tabs.values()].find(isIt);
    if (!tab) throw new AppError('session-not-found', 'There is no such session.');
    return tab;
  }

  #closeTab(tab: Tab, reason: string): void {
    this.#session.closeTab(tab, reason);
    this.#resources.forget(tab);
    this.#noteEmpty();
    this.#events.onTabs();
  }

  #noteEmpty(): void {
    this.#emptySince = this.#tabs === 0 ? performance.now() : undefined;
  }

  /** Ends tabs that nobody has come back for, and then the session. */
  #release(): void {
    const now = performance.now();
    const limits = limitsOf(this.#policy, this.#parts.limits);
    const isOver = now - this.#session.startedAt > limits.lifetimeMs;
    if (isOver) for (const tab of [...this.#session.tabs.values()]) this.#closeTab(tab, 'lifetime');
    else this.#departures.look(now, limits);
    if (!isOver && this.#opening === 0 && this.#departures.isOver(now, limits.sleepMs)) this.#fallAsleep();
    if (this.#emptySince === undefined || this.#tabs > 0) return;
    if (isOver) {
      void this.close('released');
      this.#events.onReleased(null);
    } else if (now - this.#emptySince > limits.graceMs) this.#fallAsleep();
  }

  #fallAsleep(): void {
    if (this.#sleeping) return;
    void this.sleep().then((kept) => this.#events.onReleased(kept));
  }
}

/** A client is about to attach, and has said how it shows the page. */
function awaitClient(tab: Tab, { render_params }: Pick<PairRequest, 'render_params'>): void {
  tab.presence.asked();
  tab.emulation.update(render_params);
}
