import { join } from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { PairAnswer, PairRequest, RepairRequest } from '../../core/protocol/pairing.ts';
import { MachineFonts } from '../fonts/system-fonts.ts';
import type { AskedShell, Link, Person } from '../link.ts';
import { pagePrinterToken } from '../page-printer.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { isOpenable } from './tab/addresses.ts';
import { isSamePage } from './session/tab-prewarmer.ts';
import { keptCookies } from './session/kept-cookies.ts';
import type { KeptCookies } from './session/kept-cookies.ts';
import { oldestDetachedTab } from './session/oldest-detached-tab.ts';
import { newTab, pairAnswer } from './new-tab.ts';
import type { TabParts } from './new-tab.ts';
import { Pool } from './pool.ts';
import type { PoolOptions } from './pool.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import { applyPolicy, hostRefusal, limitsOf } from './session/policy-limits.ts';
import { createTabResources } from './resources/tab-resources.ts';
import type { TabResources } from './resources/tab-resources.ts';
import { logWith } from '../plugins/plugin-scope.ts';
import { PersonSession } from './session/person-session.ts';
import { systemFont } from './resources/system-font.ts';
import type { Tab } from './tab/tab.ts';
import { randomToken } from '../random-token.ts';

/** Bounds of a worker; times in ms. */
interface WorkerLimits {
  /** Surrogates kept running ahead of need. */
  readonly poolSize: number;
  /** Surrogates that may run at once. */
  readonly maxSurrogates: number;
  readonly tabsPerPerson: number;
  /** A tab that no client is attached to is kept for so long. */
  readonly idleMs: number;
  /** A person's surrogate is replaced by none after so long. */
  readonly lifetimeMs: number;
  /** A surrogate without tabs is kept for so long. */
  readonly graceMs: number;
  /** So long after a page has loaded a person's next tab gets its page. */
  readonly spareMs: number;
  /** Messages that one tab's page halves may send in a second. */
  readonly pageMessagesPerSecond: number;
}

export const DEFAULT_LIMITS: WorkerLimits = {
  poolSize: 1,
  maxSurrogates: 50,
  tabsPerPerson: 20,
  idleMs: 30 * 60_000,
  lifetimeMs: 24 * 60 * 60_000,
  graceMs: 60_000,
  spareMs: 1000,
  pageMessagesPerSecond: 10_000,
};

export interface WorkerOptions {
  readonly dataDir: string;
  /** Absolute path of a Chromium. */
  readonly chromium: string;
  /** The built extension with the page halves. */
  readonly extensionDir: string;
  readonly egress: PoolOptions['egress'];
  readonly plugins: readonly RegisteredPlugin[];
  readonly policy: PolicyEngine;
  readonly limits?: Partial<WorkerLimits>;
  /** Told of every fault of a client, page or plugin: whose, and its code. Default: nobody. */
  readonly onFault?: (from: string, code: string) => void;
  readonly log: Log;
}

/** Counts of a worker, for metrics. */
interface WorkerCounts {
  readonly sessions: number;
  readonly tabs: number;
  readonly attached: number;
  readonly surrogates: number;
  readonly warm: number;
  readonly launches: number;
  readonly failedLaunches: number;
  readonly crashes: number;
}

/** A worker in this process. Whoever created it drains it. */
export interface Worker extends Link {
  counts(): WorkerCounts;
}

/** How often what has been left is looked for. */
const SWEEP_MS = 1000;

/** Starts a worker; its first surrogate is launched at once, in the background. */
export function createWorker(options: WorkerOptions): Worker {
  return new LocalWorker(options);
}

class LocalWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #limits: WorkerLimits;
  readonly #pool: Pool;
  readonly #resources: TabResources;
  readonly #fonts: MachineFonts;
  readonly #parts: TabParts;
  readonly #kept: KeptCookies;
  readonly #forgetting: NodeJS.Timeout;
  readonly #sessions = new Map<string, PersonSession>();
  /** When a session's last tab went, by cid. */
  readonly #empty = new Map<string, number>();
  /** Tabs that are being opened, by subject. */
  readonly #opening = new Map<string, number>();
  readonly #sweep: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #crashes = 0;
  #draining: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    const { chromium, dataDir, extensionDir, egress, log } = options;
    this.#resources = createTabResources((person, tab) => options.policy.decide(person, tab.url).settings.pictures);
    this.#fonts = new MachineFonts(join(dataDir, 'fonts'), log);
    this.#parts = {
      ...options,
      resources: this.#resources,
      fonts: this.#fonts,
      messagesPerSecond: this.#limits.pageMessagesPerSecond,
    };
    this.#kept = keptCookies(dataDir);
    // People of a host that was killed come back for their cookies as soon as for their tabs, or not at all.
    const startedAt = Date.now();
    this.#forgetLost(startedAt - this.#limits.idleMs);
    this.#forgetting = setTimeout(() => this.#forgetLost(startedAt), this.#limits.idleMs);
    this.#forgetting.unref();
    this.#pool = new Pool({
      launch: { executable: chromium, dataDir, extensionDir },
      egress,
      size: this.#limits.poolSize,
      max: this.#limits.maxSurrogates,
      log,
    });
    this.#sweep = setInterval(() => {
      this.#release();
      for (const session of this.#sessions.values()) session.meter();
    }, SWEEP_MS);
    this.#sweep.unref();
    this.#unwatch = options.policy.onChange(() => {
      for (const session of this.#sessions.values())
        void applyPolicy(options, session, (tab) => this.#closeTab(session, tab, 'policy'));
    });
  }

  expect(person: Person, shell: AskedShell): void {
    const { url } = shell;
    if (this.#draining || !isOpenable(url) || hostRefusal(this.#options.policy, person, url) !== undefined) return;
    const known = this.#sessions.get(person.subject);
    if (known ? this.#tabsOf(person) >= this.#tabLimit(person) : this.#pool.counts.warm === 0) return;
    const session = this.#sessionOf(person);
    // A tab that was left there may be what comes back.
    const isLeft = [...session.tabs.values()].some((tab) => !tab.channel.attached && isSamePage(tab.url, url));
    const foreseen = isLeft ? undefined : session.prewarmer.foresee(shell);
    if (foreseen) session.prewarmer.begin(foreseen, () => this.#open(session, foreseen));
    else session.expectTab(url);
    if (session.tabs.size === 0) this.#empty.set(session.cid, performance.now());
  }

  async pair(person: Person, request: PairRequest): Promise<PairAnswer> {
    const refused = this.#refusal(person, request);
    if (refused) return refused;
    const session = this.#sessionOf(person);
    try {
      session.prewarmer.learn(request);
      const begun = await session.prewarmer.take(request);
      const isThere = begun !== undefined && session.tabs.get(begun.id) === begun;
      if (isThere) awaitClient(begun, request);
      else if (!this.#makeRoom(session)) return { error: 'tab_limit' };
      return pairAnswer(this.#options.policy, session, isThere ? begun : await this.#open(session, request));
    } catch (thrown) {
      const fault = toAppError(thrown);
      this.#options.log.error('not paired', { cid: session.cid, code: fault.code, error: fault.message });
      if (fault.code === 'pool-depleted') return { error: 'global_pool_depleted' };
      if (fault.retryable || fault.code === 'cdp-closed') return { error: 'pairing_retry' };
      throw fault;
    } finally {
      if (session.tabs.size === 0) this.#empty.set(session.cid, performance.now());
    }
  }

  /** Opens a tab, which begins to load its page. @throws AppError as PersonSession.openPage, or `tab-closed`. */
  async #open(session: PersonSession, request: PairRequest): Promise<Tab> {
    const { subject } = session.person;
    this.#opening.set(subject, (this.#opening.get(subject) ?? 0) + 1);
    try {
      const tab = await newTab(this.#parts, session, request);
      const opened = session.openPage();
      try {
        const [page] = await Promise.all([opened, tab.activate()]);
        session.add(tab, page, request.url);
        return tab;
      } catch (thrown) {
        tab.close('not paired');
        this.#resources.forget(tab);
        opened.then(
          (page) => session.closePage(page),
          () => undefined,
        ); // the failure is told already
        throw thrown;
      }
    } finally {
      const left = (this.#opening.get(subject) ?? 1) - 1;
      if (left > 0) this.#opening.set(subject, left);
      else this.#opening.delete(subject);
    }
  }

  async repair(person: Person, cid: string, request: RepairRequest): Promise<PairAnswer> {
    const found = this.#find(person, (tab, session) => session.cid === cid && tab.safeRid === request.safe_rid);
    if (!found) throw new AppError('session-not-found', 'There is no such session.');
    awaitClient(found.tab, request);
    // Without an entry of the page's history the person has typed an address into a tab that is paired already.
    if (request.hid === undefined && request.url !== found.tab.url && isOpenable(request.url)) {
      found.session.prewarmer.spare(request.url);
      found.tab.load.leave(request.url, request.referrer);
    }
    return pairAnswer(this.#options.policy, found.session, found.tab);
  }

  async unpair(person: Person, { safe_rid }: { readonly safe_rid: string }): Promise<void> {
    const found = this.#find(person, (tab) => tab.safeRid === safe_rid);
    if (!found) throw new AppError('session-not-found', 'There is no such session.');
    this.#closeTab(found.session, found.tab, 'unpaired');
  }

  async attach(...[person, names, transport]: Parameters<Link['attach']>): ReturnType<Link['attach']> {
    const found = this.#find(person, (tab, session) => session.cid === names.cid && tab.id === names.tabId);
    return found?.tab.attach(names.chid, names.received, transport);
  }

  resource(...[person, kind, token]: Parameters<Link['resource']>): ReturnType<Link['resource']> {
    return systemFont(this.#fonts, kind, token) ?? this.#resources.fetch(person, kind, token);
  }

  async print(...[person, { cid, rid, tabId }, options]: Parameters<Link['print']>): ReturnType<Link['print']> {
    const found = this.#find(person, (tab, session) => session.cid === cid && tab.id === tabId && tab.rid === rid);
    if (!found) throw new AppError('session-not-found', 'There is no such session.');
    const printer = found.tab.service(pagePrinterToken);
    if (!printer) throw new AppError('policy-refused', 'The policy does not allow to print.');
    return printer.print(options);
  }

  async ready(): Promise<boolean> {
    if (this.#draining) return false;
    const { warm, running } = this.#pool.counts;
    return warm > 0 || (this.#limits.poolSize === 0 && running < this.#limits.maxSurrogates) || this.#sessions.size > 0;
  }

  drain(reason: string): Promise<void> {
    this.#draining ??= (async () => {
      clearInterval(this.#sweep);
      clearTimeout(this.#forgetting);
      this.#unwatch();
      await Promise.all([...this.#sessions.values()].map((session) => session.close(reason, true)));
      this.#sessions.clear();
      await this.#pool.close();
    })();
    return this.#draining;
  }

  counts(): WorkerCounts {
    const { running, warm, launched, failed } = this.#pool.counts;
    const tabs = [...this.#sessions.values()].flatMap((session) => [...session.tabs.values()]);
    return {
      sessions: this.#sessions.size,
      tabs: tabs.length,
      attached: tabs.filter(({ channel }) => channel.attached).length,
      surrogates: running,
      warm,
      launches: launched,
      failedLaunches: failed,
      crashes: this.#crashes,
    };
  }

  #refusal(person: Person, request: PairRequest): PairAnswer | undefined {
    if (this.#draining) return { error: 'pairing_retry' };
    if (!isOpenable(request.url)) {
      const message = 'Only http and https addresses can be opened.';
      return { error: 'bad-url', error_page: { title: 'This address cannot be opened', message } };
    }
    const refused = hostRefusal(this.#options.policy, person, request.url);
    if (refused !== undefined)
      return { error: 'access_denied', error_page: { title: 'This page is not allowed', message: refused } };
    return undefined;
  }

  /** Whether another tab is within the person's limit; one that nobody has asked for, or that was left, may have to make room for it. */
  #makeRoom(session: PersonSession): boolean {
    if (this.#tabsOf(session.person) < this.#tabLimit(session.person) || session.prewarmer.endOldest()) return true;
    const left = oldestDetachedTab(session);
    if (left) this.#closeTab(session, left, 'room for another tab');
    return left !== undefined;
  }

  /** Tabs that a person has, those that are being paired included. */
  #tabsOf({ subject }: Person): number {
    return (this.#sessions.get(subject)?.tabs.size ?? 0) + (this.#opening.get(subject) ?? 0);
  }

  #tabLimit(person: Person): number {
    return limitsOf(this.#options.policy, person, this.#limits).tabsPerPerson;
  }

  #sessionOf(person: Person): PersonSession {
    const known = this.#sessions.get(person.subject);
    if (known) {
      this.#empty.delete(known.cid);
      return known;
    }
    const cid = randomToken();
    const session = new PersonSession({
      person,
      cid,
      take: () => this.#pool.take(),
      policy: this.#options.policy,
      kept: this.#kept,
      spareMs: this.#limits.spareMs,
      onCrash: () => (this.#crashes += 1),
      onUntaken: (tab) => {
        if (session.tabs.get(tab.id) === tab) this.#closeTab(session, tab, 'not asked for');
      },
      log: logWith(this.#options.log, { cid }),
    });
    this.#sessions.set(person.subject, session);
    return session;
  }

  /** A tab of this person; another person's is not found, as if it were not there. */
  #find(
    person: Person,
    isIt: (tab: Tab, session: PersonSession) => boolean,
  ): { readonly session: PersonSession; readonly tab: Tab } | undefined {
    const session = this.#sessions.get(person.subject);
    const tab = session && [...session.tabs.values()].find((each) => isIt(each, session));
    return tab && { session, tab };
  }

  #closeTab(session: PersonSession, tab: Tab, reason: string): void {
    session.closeTab(tab, reason);
    this.#resources.forget(tab);
    if (session.tabs.size === 0) this.#empty.set(session.cid, performance.now());
  }

  /** Removes the cookies of people who have not come back since a host was killed. */
  #forgetLost(before: number): void {
    this.#kept.sweep(before).catch((thrown: unknown) => {
      this.#options.log.error('cookies of an earlier run are still on disk', { error: toAppError(thrown).message });
    });
  }

  /** Lets go of what nobody has come back for. */
  #release(): void {
    const now = performance.now();
    for (const [subject, session] of this.#sessions) {
      const limits = limitsOf(this.#options.policy, session.person, this.#limits);
      const isOver = now - session.startedAt > limits.lifetimeMs;
      for (const tab of [...session.tabs.values()]) {
        const isIdle = !tab.channel.attached && now - tab.lastSeen > limits.idleMs;
        if (isOver || isIdle) this.#closeTab(session, tab, isOver ? 'lifetime' : 'idle');
      }
      const emptySince =
        session.tabs.size === 0 && !this.#opening.has(subject) ? this.#empty.get(session.cid) : undefined;
      if (emptySince !== undefined && (isOver || now - emptySince > this.#limits.graceMs)) {
        this.#sessions.delete(subject);
        this.#empty.delete(session.cid);
        void session.close('released');
      }
    }
  }
}

/** A client is about to attach, and has said how it shows the page. */
function awaitClient(tab: Tab, { render_params }: Pick<PairRequest, 'render_params'>): void {
  tab.lastSeen = performance.now();
  tab.emulation.update(render_params);
}
