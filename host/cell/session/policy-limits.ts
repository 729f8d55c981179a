/** What the policy says of a person, as the worker enforces it. */
import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { Person } from '../../link.ts';
import type { PolicyEngine } from '../../policy/engine.ts';
import { choosePlugins } from '../../plugins/choice.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { PersonSession } from './person-session.ts';
import type { Tab } from '../tab/tab.ts';

/** Bounds that a policy may tighten; times in ms. */
interface Limits {
  readonly tabsPerPerson: number;
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

/** The worker's bounds and the person's, whichever is tighter. */
export function limitsOf(policy: PolicyEngine, person: Person, own: Limits): Limits {
  const {
    tabs = Infinity,
    idle_seconds = Infinity,
    lifetime_seconds = Infinity,
  } = policy.decide(person).settings.limits;
  return {
    tabsPerPerson: Math.min(own.tabsPerPerson, tabs),
    idleMs: Math.min(own.idleMs, idle_seconds * 1000),
    lifetimeMs: Math.min(own.lifetimeMs, lifetime_seconds * 1000),
  };
}

/** Why a person may not open an address; undefined when they may. */
export function hostRefusal(policy: PolicyEngine, person: Person, address: string): string | undefined {
  const url = URL.parse(address);
  if (!url?.hostname) return undefined; // the blank page
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const verdict = policy.mayReach(person, { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) });
  return verdict.allow ? undefined : verdict.message;
}

interface Deciding {
  readonly policy: PolicyEngine;
  readonly plugins: readonly RegisteredPlugin[];
  readonly log: Log;
}

/**
 * Applies a changed policy to a person's tabs: those whose page is refused now are ended, plugins whose capability is off are withdrawn,
 * the client is told what holds for its page. What has been granted meanwhile waits for the next pairing. Never rejects.
 */
export async function applyPolicy(
  { policy, plugins, log }: Deciding,
  { person, tabs }: Pick<PersonSession, 'person' | 'tabs'>,
  end: (tab: Tab) => void,
): Promise<void> {
  for (const tab of [...tabs.values()]) {
    if (hostRefusal(policy, person, tab.url) !== undefined) {
      end(tab);
      continue;
    }
    try {
      const { capabilities } = await policy.grant(person, tab.request.url, tab.request.render_params.user_agent);
      const on = new Set(choosePlugins(plugins, capabilities).map(({ plugin }) => plugin.manifest.id));
      tab.withdraw(tab.plugins.map(({ manifest }) => manifest.id).filter((id) => !on.has(id)));
      tab.policyChanged();
    } catch (thrown) {
      log.error('a changed policy was not applied to a tab', { tab: tab.id, error: toAppError(thrown).message });
    }
  }
}
