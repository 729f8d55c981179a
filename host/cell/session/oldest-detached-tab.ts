import type { PersonSession } from './person-session.ts';
import type { Tab } from '../tab/tab.ts';

/** Time without a client after which a tab counts as abandoned, in ms: a reload attaches sooner. */
export const LEFT_MS = 10_000;

/** Returns the tab that has been detached longest, if its client has had time to reconnect. */
export function oldestDetachedTab(session: PersonSession): Tab | undefined {
  const latest = performance.now() - LEFT_MS;
  return [...session.tabs.values()]
    .filter(({ channel, presence }) => !channel.attached && presence.since < latest)
    .sort((a, b) => a.presence.since - b.presence.since)[0];
}

/** Whether a client has left a tab: it may come back, or the tab is abandoned soon. */
export function isAnyLeft({ tabs }: PersonSession): boolean {
  return [...tabs.values()].some(
    ({ channel, presence: { state } }) => !channel.attached && (state === 'left' || state === 'silent'),
  );
}
