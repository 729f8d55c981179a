import type { PersonSession } from './person-session.ts';
import type { Tab } from '../tab/tab.ts';

/** A tab without a client for so long counts as left, in ms: a reload is back sooner. */
const LEFT_MS = 10_000;

/** The tab that was left the longest ago: one that its client has had time to come back to. */
export function oldestDetachedTab(session: PersonSession): Tab | undefined {
  const latest = performance.now() - LEFT_MS;
  return [...session.tabs.values()]
    .filter(({ channel, lastSeen }) => !channel.attached && lastSeen < latest)
    .sort((a, b) => a.lastSeen - b.lastSeen)[0];
}
