import type { AsleepTab } from '../../cells/protocol.ts';
import type { Tab } from '../tab/tab.ts';
import { AsleepTabs } from './asleep-tabs.ts';
import type { PersonSession } from './person-session.ts';

/** Time after which a tab ends whose client has never come, in ms: it was closed while it was being paired. */
const ARRIVE_MS = 45_000;
/** Time without traffic after which a session sleeps, in ms: a download may be under way. */
const QUIET_MS = 10_000;
/** Number of the times after which it would sleep that it stays for its traffic: servers may send for ever. */
const STAYS = 3;

/** Times after which a tab ends, in ms: whose client has fallen silent, and whose client has said goodbye. */
interface DepartureTimes {
  readonly idleMs: number;
  readonly leaveMs: number;
}

/** The tabs of a session that nobody is at: they end after a time, and their addresses are kept for clients that come back. */
export class Departures {
  readonly #session: PersonSession;
  readonly #closeTab: (tab: Tab, reason: string) => void;
  readonly #asleep: AsleepTabs;
  /** Tabs whose place is being read before they end. */
  readonly #ending = new Set<Tab>();
  /** Bytes of traffic when it was looked at, and when they have changed. */
  #traffic = { bytes: 0, at: -Infinity };

  /** `max`: number of addresses that are kept, the latest. */
  constructor(session: PersonSession, max: number, closeTab: (tab: Tab, reason: string) => void) {
    this.#session = session;
    this.#closeTab = closeTab;
    this.#asleep = new AsleepTabs(max);
  }

  /** Ends the tabs that are due. Call it about once a second. */
  look(now: number, limits: DepartureTimes): void {
    for (const tab of this.#session.tabs.values()) if (isForsaken(tab, now, limits)) void this.#end(tab);
  }

  /** Whether nobody has been at any tab for `ms`, and nothing is being transferred either. Call it about once a second. */
  isOver(now: number, ms: number): boolean {
    const { bytes, tabs } = this.#session;
    if (bytes !== this.#traffic.bytes) this.#traffic = { bytes, at: now };
    const isQuiet = now - this.#traffic.at >= Math.min(QUIET_MS, ms);
    const isUnseen = ({ presence: { state, since } }: Tab): boolean =>
      (state === 'left' || state === 'silent') && now - since > (isQuiet ? ms : STAYS * ms);
    return tabs.size > 0 && [...tabs.values()].every(isUnseen);
  }

  /** The tab of a client that comes back after its end; once. */
  take(safeRid: string): AsleepTab | undefined {
    return this.#asleep.take(safeRid);
  }

  /** The record of the session's tabs to keep, those that have not ended yet included. Never rejects. */
  async all(): Promise<readonly AsleepTab[]> {
    const { tabs, rest } = this.#session;
    const places = await Promise.all([...tabs.values()].map(async (tab) => [tab, await rest.placeOf(tab)] as const));
    for (const [tab, place] of places) this.#asleep.add(tab, place);
    return this.#asleep.all;
  }

  /** Ends a tab, unless its client comes back meanwhile. */
  async #end(tab: Tab): Promise<void> {
    if (this.#ending.has(tab)) return;
    this.#ending.add(tab);
    const { since } = tab.presence;
    const place = await this.#session.rest.placeOf(tab);
    this.#ending.delete(tab);
    if (this.#session.tabs.get(tab.id) !== tab || tab.channel.attached || tab.presence.since !== since) return;
    this.#asleep.add(tab, place);
    this.#closeTab(tab, 'idle');
  }
}

/** Whether nobody has come to a tab for as long as it waits. */
function isForsaken({ presence: { state, since } }: Tab, now: number, { idleMs, leaveMs }: DepartureTimes): boolean {
  if (state === 'attached') return false;
  const waits = { expected: ARRIVE_MS, left: leaveMs, silent: idleMs }[state];
  return now - since > Math.min(waits, idleMs);
}
