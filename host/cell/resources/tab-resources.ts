import { createHmac, randomBytes } from 'node:crypto';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { Person, ResourceAnswer } from '../../link.ts';
import type { PictureRules } from './pictures.ts';
import { resourceCdp } from './resource-cdp.ts';
import { ResourceStore } from './resource-store.ts';
import type { ResourceKind } from './resource-store.ts';
import type { Tab } from '../tab/tab.ts';
import { randomToken } from '../../random-token.ts';

/** What pages show beside their markup, by opaque token. */
export interface TabResources {
  /** Begins to note what a tab's page requests: before it opens anything. */
  watch(person: Person, tab: Tab): void;
  /** The token's address for this person: same input, same address; one that shows nothing once the tab has been forgotten. */
  register(person: Person, tab: Tab, kind: ResourceKind, address: string, frame: number): string;
  /** @throws AppError `resource-not-found`, also for another person's token, and what ResourceStore throws. */
  fetch(person: Person, kind: string, token: string): Promise<ResourceAnswer>;
  /** Whether an address that `register` gave to this person shows anything. @throws AppError, retryable, when that cannot be told now. */
  shows(person: Person, path: string): Promise<boolean>;
  /** Forgets a tab's tokens. */
  forget(tab: Tab): void;
}

interface Watched {
  readonly subject: string;
  readonly key: string;
  readonly store: ResourceStore;
}

/**
 * Makes the stores of one worker's tabs. Its secret is made with it: tokens do not outlive the process. `pictures` says what the policy
 * says of the pictures of a tab's page now.
 */
export function createTabResources(pictures: (person: Person, tab: Tab) => PictureRules): TabResources {
  const secret = randomBytes(32);
  const byTab = new Map<Tab, Watched>();
  const byKey = new Map<string, Watched>();
  const forgotten = new WeakSet<Tab>();
  const watch = (person: Person, tab: Tab): Watched => {
    const { subject } = person;
    const key = randomToken();
    const store = new ResourceStore({
      tabKey: key,
      secret: createHmac('sha256', secret).update(subject).digest(),
      cdp: resourceCdp(tab.sessions, tab.frames),
      pictures: () => pictures(person, tab),
    });
    const watched = { subject, key, store };
    byTab.set(tab, watched);
    byKey.set(key, watched);
    return watched;
  };
  const resources: TabResources = {
    watch: (person, tab) => void watch(person, tab),
    register(person, tab, kind, address, frame) {
      if (forgotten.has(tab)) return 'about:invalid';
      return (byTab.get(tab) ?? watch(person, tab)).store.token(kind, address, frame);
    },
    async fetch({ subject }, kind, token) {
      const dot = token.indexOf('.');
      const watched = byKey.get(token.slice(0, Math.max(0, dot)));
      if (watched?.subject !== subject) throw new AppError('resource-not-found', 'There is no such resource.');
      return watched.store.open(kind, token.slice(dot + 1));
    },
    async shows(person, path) {
      const [, , kind = '', token = ''] = path.split('/');
      return resources.fetch(person, kind, token).then(
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
