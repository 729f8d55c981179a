import { randomBytes } from 'node:crypto';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { ResourceAnswer } from './resource-answer.ts';
import type { Settings } from '../../policy/settings.ts';
import { BodyTurns } from './body-turns.ts';
import { resourceCdp } from './resource-cdp.ts';
import { ResourceStore } from './resource-store.ts';
import type { ResourceKind } from './resource-store.ts';
import type { Tab } from '../tab/tab.ts';
import { randomToken } from '../../base/random-token.ts';

/** Pictures, fonts and media of a person's pages, by opaque token. */
export interface TabResources {
  /** Starts to observe the requests of a tab's page: call it before the tab opens anything. */
  watch(tab: Tab): void;
  /** Returns the token's address: the same for the same input; it resolves to nothing once the tab was removed. */
  register(tab: Tab, kind: ResourceKind, address: string, frame: number): string;
  /** @throws AppError `resource-not-found`, and what ResourceStore throws. */
  fetch(kind: string, token: string): Promise<ResourceAnswer>;
  /** Whether an address from `register` shows anything. @throws AppError, retryable, when that is not known now. */
  shows(path: string): Promise<boolean>;
  /** Removes a tab's tokens. */
  forget(tab: Tab): void;
}

/** Settings of the policy for resources. */
type ResourceSettings = Pick<Settings, 'pictures' | 'resources'>;

interface Watched {
  readonly key: string;
  readonly store: ResourceStore;
}

/**
 * Creates the stores of one person's tabs, with a secret of their own: tokens do not outlive the cell, and another
 * person's are not found. `settingsOf` returns the policy's settings for a tab's page now.
 */
export function createTabResources(settingsOf: (tab: Tab) => ResourceSettings): TabResources {
  const secret = randomBytes(32);
  const turns = new BodyTurns();
  const byTab = new Map<Tab, Watched>();
  const byKey = new Map<string, Watched>();
  const forgotten = new WeakSet<Tab>();
  const watch = (tab: Tab): Watched => {
    const key = randomToken();
    const store = new ResourceStore({
      tabKey: key,
      secret,
      cdp: resourceCdp(tab.sessions, tab.frames),
      turns,
      spend: (kind, amount) => tab.meter.spend(kind, amount),
      pictures: () => settingsOf(tab).pictures,
      mayRequest: () => settingsOf(tab).resources.request_for_device,
    });
    const watched = { key, store };
    byTab.set(tab, watched);
    byKey.set(key, watched);
    return watched;
  };
  /** The store of a token, and the part of it after the tab's key. */
  const storeOf = (token: string): [ResourceStore | undefined, string] => {
    const dot = token.indexOf('.');
    return [byKey.get(token.slice(0, Math.max(0, dot)))?.store, token.slice(dot + 1)];
  };
  const resources: TabResources = {
    watch: (tab) => void watch(tab),
    register(tab, kind, address, frame) {
      if (forgotten.has(tab)) return 'about:invalid';
      return (byTab.get(tab) ?? watch(tab)).store.token(kind, address, frame);
    },
    async fetch(kind, token) {
      const [store, mac] = storeOf(token);
      if (!store) throw new AppError('resource-not-found', 'There is no such resource.');
      return store.open(kind, mac);
    },
    async shows(path) {
      const [, , kind = '', token = ''] = path.split('/');
      const [store, mac] = storeOf(token);
      store?.requestAsBrowser(mac);
      return resources.fetch(kind, token).then(
        () => true,
        (thrown: unknown) => {
          if (toAppError(thrown).retryable) throw thrown;
          return false;
        },
      );
    },
    forget(tab) {
      forgotten.add(tab);
      const watched = byTab.get(tab);
      byTab.delete(tab);
      if (watched) byKey.delete(watched.key);
    },
  };
  return resources;
}
