import { describe, expect, it } from 'vitest';
import { personPolicy } from '../../../policy/person-policy.ts';
import { sliceOf } from '../../../policy/slice.ts';
import { OWN, parsed } from '../../../policy/tests/own-settings.ts';
import { ANNA } from '../../tests/harness.ts';
import { limitsOf } from '../policy-limits.ts';

const HOST = { tabsPerPerson: 20, idleMs: 1_800_000, lifetimeMs: 86_400_000, graceMs: 10_000 };

/** The limits of a person under a policy with these limits. */
function limitsUnder(limits: object): unknown {
  const source = JSON.stringify({ tenants: { default: { policy: { limits } } } });
  return limitsOf(personPolicy(sliceOf(parsed(source), ANNA), OWN), HOST);
}

describe('limits of a person', () => {
  it('are the host’s where the policy has none', () => {
    expect(limitsUnder({})).toEqual(HOST);
  });

  it('are the policy’s where those are tighter, each by itself', () => {
    expect(limitsUnder({ lifetime_seconds: 3600 })).toEqual({ ...HOST, lifetimeMs: 3_600_000 });
    expect(limitsUnder({ idle_seconds: 60 })).toEqual({ ...HOST, idleMs: 60_000 });
    expect(limitsUnder({ tabs: 3 })).toEqual({ ...HOST, tabsPerPerson: 3 });
  });

  it('stay the host’s where the policy allows more', () => {
    expect(limitsUnder({ lifetime_seconds: 86_401, idle_seconds: 1801, tabs: 21 })).toEqual(HOST);
  });
});
