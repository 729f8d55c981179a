import { AppError } from '../../core/protocol/errors.ts';
import type { Person, ResourceAnswer } from '../link.ts';
import type { Tab } from './tab.ts';
import { randomToken } from './tokens.ts';

/** What pages show beside their markup, by opaque token. */
export interface TabResources {
  /** The token's address for this person: same input, same address. */
  register(person: Person, tab: Tab, kind: string, address: string, frame: number): string;
  /** @throws AppError `resource-not-found`, also for another person's token. */
  fetch(person: Person, kind: string, token: string): Promise<ResourceAnswer>;
  /** Forgets a tab's tokens. */
  forget(tab: Tab): void;
}

/** Makes the store of one worker. */
export function createTabResources(): TabResources {
  const tokens = new WeakMap<Tab, Map<string, string>>();
  return {
    register(_person, tab, kind, address, frame) {
      const known = tokens.get(tab) ?? new Map<string, string>();
      tokens.set(tab, known);
      const key = JSON.stringify([kind, address, frame]);
      const token = known.get(key) ?? randomToken();
      known.set(key, token);
      return `/c/${kind}/${token}`;
    },
    fetch: () => Promise.reject(new AppError('resource-not-found', 'There is no such resource.')),
    forget: (tab) => void tokens.delete(tab),
  };
}
