import type { CellLimits } from '../cell-limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { PersonSession } from './person-session.ts';

/** Time after which a tab ends whose client has never come, in ms: it was closed while it was being paired. */
const ARRIVE_MS = 45_000;
/** Time without traffic after which a session sleeps, in ms: a download may be under way. */
const QUIET_MS = 10_000;

/** Whether nobody has come to a tab for as long as it waits. */
export function isForsaken(
  { presence: { state, since } }: Tab,
  now: number,
  { idleMs, leaveMs }: Pick<CellLimits, 'idleMs' | 'leaveMs'>,
): boolean {
  if (state === 'attached') return false;
  const waits = { expected: ARRIVE_MS, left: leaveMs, silent: idleMs }[state];
  return now - since > Math.min(waits, idleMs);
}

/** Notices that nobody is at any tab of a session any more. */
export class Abandonment {
  /** Bytes of traffic when it was looked at, and when they have changed. */
  #traffic = { bytes: 0, at: -Infinity };

  /** Whether nobody has been at any tab for `ms`, and nothing is being transferred either. Call it about once a second. */
  is({ bytes, tabs }: PersonSession, now: number, ms: number): boolean {
    if (bytes !== this.#traffic.bytes) this.#traffic = { bytes, at: now };
    const isUnseen = ({ presence: { state, since } }: Tab): boolean =>
      (state === 'left' || state === 'silent') && now - since > ms;
    return tabs.size > 0 && now - this.#traffic.at >= Math.min(QUIET_MS, ms) && [...tabs.values()].every(isUnseen);
  }
}
