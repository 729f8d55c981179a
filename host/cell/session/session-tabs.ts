import type { Session, SessionTab } from '../../contracts/session-scope.ts';
import type { Tab } from '../tab/tab.ts';

type Listener = (tab: SessionTab) => void;

/** The tabs of a session as its session halves see them. */
export class SessionTabs {
  readonly #tabs = new Map<Tab, SessionTab>();
  readonly #opened = new Set<Listener>();
  readonly #closed = new Set<Listener>();

  /** Returns the session with these tabs. */
  as(facts: Pick<Session, 'cid' | 'person' | 'policy'>): Session {
    return {
      ...facts,
      tabs: () => [...this.#tabs.values()],
      onOpened: (listener) => added(this.#opened, listener),
      onClosed: (listener) => added(this.#closed, listener),
    };
  }

  of(tab: Tab): SessionTab | undefined {
    return this.#tabs.get(tab);
  }

  opened(tab: Tab): void {
    const seen: SessionTab = {
      id: tab.id,
      url: () => tab.url,
      policy: (address) => tab.policy(address),
      frames: () => tab.frames.all(),
      originOf: (frame) => tab.frames.originOf(frame),
      isShown: () => tab.emulation.visible,
      gesture: tab.gesture,
    };
    this.#tabs.set(tab, seen);
    for (const listener of [...this.#opened]) listener(seen);
  }

  /** Does nothing for a tab that was never added. */
  closed(tab: Tab): void {
    const seen = this.#tabs.get(tab);
    if (!seen) return;
    this.#tabs.delete(tab);
    for (const listener of [...this.#closed]) listener(seen);
  }
}

function added(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
