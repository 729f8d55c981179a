import { withoutBlob } from '../base/addresses.ts';
import type { PersonPolicy } from './person-policy.ts';

/** Returns the reason why a person may not open an address; undefined when they may. */
export function hostRefusal(policy: Pick<PersonPolicy, 'mayReach'>, address: string): string | undefined {
  const url = URL.parse(withoutBlob(address));
  if (!url?.hostname) return undefined; // the blank page, or one of no site
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const verdict = policy.mayReach({ host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) });
  return verdict.allow ? undefined : verdict.message;
}
