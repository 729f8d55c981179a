import type { Work } from '../../contracts/work.ts';
import { WORK_KINDS } from '../../base/page-budgets.ts';
import type { PageBudgets, WorkKind } from '../../base/page-budgets.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { OpenRequests } from './open-requests.ts';

/** Time past the soft budget after which the page is slowed, and within it after which it is not slowed any more, in seconds. */
const SLOW_AFTER = 2;
const RELEASE_AFTER = 3;
/** Time past the hard budget, less the time within it since, after which the page is ended, in seconds. */
const END_AFTER = 5;
/** Longest time that one look counts, in seconds: the cell may have been busy with something else. */
const MAX_LOOK = 3;
/** Factor by which the scripts of a slowed page take longer. */
const SLOWNESS = 4;
/** Maximum number of different host names in one look. */
const MAX_NAMES = 5000;

/** Outcome of a look at a page: what it has spent too much of. */
interface Verdict {
  readonly kind: WorkKind;
  readonly action: 'slow' | 'end';
}

/**
 * Meters the page of one tab against its budgets. Its scripts are slowed in its own processes: to read less from the browser would slow
 * the person's other tabs, too.
 */
export class PageMeter implements Work {
  readonly #budgets: PageBudgets;
  readonly #sessions = new Map<CdpSession, { received: number; isSlow: boolean; readonly isWorker: boolean }>();
  readonly #requests = new OpenRequests();
  #names = new Set<string>();
  #spent = none();
  /** Seconds past the hard budget, by kind. */
  #past = none();
  #slowFor = 0;
  #calmFor = 0;
  #isSlow = false;
  #at = performance.now();

  constructor(sessions: Pick<PageSessions, 'listen'>, budgets: PageBudgets) {
    this.#budgets = budgets;
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind === 'page') this.#begin();
        const isWorker = kind === 'worker';
        this.#sessions.set(session, { received: session.received, isSlow: false, isWorker });
        this.#watch(session);
        // Plugins have the domain enabled in documents alone. No body of a worker's requests is kept.
        if (isWorker) quietly(session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }));
      },
      removed: ({ session }) => {
        this.#count(session);
        this.#sessions.delete(session);
        this.#requests.forget(session);
      },
    });
  }

  spend(kind: WorkKind, amount: number): void {
    this.#spent[kind] += amount;
  }

  /** Whether the page is slowed now. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Looks at what was spent since the last look; call it about once a second. Returns what it does to the page, when that begins. */
  look(now = performance.now()): Verdict | undefined {
    const seconds = (now - this.#at) / 1000;
    if (seconds <= 0) return undefined;
    this.#at = now;
    for (const session of this.#sessions.keys()) this.#count(session);
    this.#spent.names = this.#names.size;
    this.#names = new Set();
    this.#spent.requests = this.#requests.count(now) * seconds;
    const rates = WORK_KINDS.map((kind) => [kind, this.#spent[kind] / seconds] as const);
    this.#spent = none();
    const counted = Math.min(Math.round(seconds * 10) / 10, MAX_LOOK); // a look comes a little early or late
    for (const [kind, rate] of rates) {
      // A page that rests now and then is not better for it.
      this.#past[kind] = Math.max(0, this.#past[kind] + (rate > this.#budgets[kind].hard ? counted : -counted));
      if (this.#past[kind] >= END_AFTER) return this.#end(kind);
    }
    return this.#pace(rates.find(([kind, rate]) => rate > this.#budgets[kind].soft)?.[0], counted);
  }

  #end(kind: WorkKind): Verdict {
    this.#begin();
    return { kind, action: 'end' };
  }

  /** Slows the page, or lets it go on. */
  #pace(over: WorkKind | undefined, seconds: number): Verdict | undefined {
    this.#slowFor = over === undefined ? 0 : this.#slowFor + seconds;
    this.#calmFor = over === undefined ? this.#calmFor + seconds : 0;
    const wasSlow = this.#isSlow;
    if (this.#slowFor >= SLOW_AFTER) this.#isSlow = true;
    else if (this.#calmFor >= RELEASE_AFTER) this.#isSlow = false;
    this.#setPace();
    return over !== undefined && this.#isSlow && !wasSlow ? { kind: over, action: 'slow' } : undefined;
  }

  /** Another page has taken its place. */
  #begin(): void {
    this.#past = none();
    this.#slowFor = this.#calmFor = 0;
    this.#isSlow = false;
  }

  #setPace(): void {
    for (const [session, state] of this.#sessions) {
      if (state.isSlow === this.#isSlow || state.isWorker) continue;
      state.isSlow = this.#isSlow;
      quietly(session.send('Emulation.setCPUThrottlingRate', { rate: this.#isSlow ? SLOWNESS : 1 }));
    }
  }

  #count(session: CdpSession): void {
    const state = this.#sessions.get(session);
    if (!state) return;
    this.#spent.messages += session.received - state.received;
    state.received = session.received;
  }

  #watch(session: CdpSession): void {
    const begun = (id: string, url: string): void => {
      this.#requests.begun(session, id);
      const name = hostOf(url);
      if (name !== '' && this.#names.size < MAX_NAMES) this.#names.add(name);
    };
    const ended = ({ requestId }: { readonly requestId: string }): void => this.#requests.ended(session, requestId);
    session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => begun(requestId, url));
    session.on('Network.loadingFinished', ended);
    session.on('Network.loadingFailed', ended);
    session.on('Network.webSocketCreated', ({ requestId, url }) => begun(requestId, url));
    session.on('Network.webSocketClosed', ended);
  }
}

function none(): Record<WorkKind, number> {
  return { sanitizing: 0, messages: 0, fonts: 0, pictures: 0, names: 0, requests: 0 };
}

/** Host of an address as it stands there; empty for data addresses and the like. The address may be long. */
function hostOf(url: string): string {
  return /^(?:https?|wss?):\/\/([^/?#]{1,300})/.exec(url.slice(0, 320))?.[1] ?? '';
}
