import type { PairAnswer } from '../../core/protocol/pairing.ts';
import { isOpenable } from '../base/addresses.ts';
import type { Person } from '../base/person.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { hostRefusal } from '../policy/host-refusal.ts';

/** Answer to a person who must not open an address; undefined: they may. */
export function refusal(policy: PolicyEngine, person: Person, url: string): PairAnswer | undefined {
  if (!isOpenable(url)) {
    const message = 'Only http and https addresses can be opened.';
    return { error: 'bad-url', error_page: { title: 'This address cannot be opened', message } };
  }
  const mayReach = (to: { host: string; port: number }) => policy.mayReach(person, to);
  const refused = hostRefusal({ mayReach }, url);
  return refused === undefined
    ? undefined
    : { error: 'access_denied', error_page: { title: 'This page is not allowed', message: refused } };
}
