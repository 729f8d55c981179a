import type { Tab } from '../tab/tab.ts';

/** Time for the client of a tab that was just paired to attach, in ms. */
const ATTACH_MS = 30_000;

/** Calls back at once, or, where a tab's client has yet to come for the first time, once it is there to hear of it, or has had time to come. */
export function onceThere(tab: Tab, then: () => void): void {
  if (tab.presence.state !== 'expected') {
    then();
    return;
  }
  let isOver = false;
  const done = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    then();
  };
  const timer = setTimeout(done, ATTACH_MS).unref();
  tab.hooks.clientAttached.tap('core', () => void setImmediate(done));
}
