/** Bounds and permissions of a person's policy, as the cell enforces them. */
import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { PersonGrants } from '../../policy/person-grants.ts';
import type { PersonPolicy } from '../../policy/person-policy.ts';
import { hostRefusal } from '../../policy/host-refusal.ts';
import { choosePlugins } from '../../plugins/choice.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { Tab } from '../tab/tab.ts';

/** Limits that a policy may tighten; times in ms. */
interface Limits {
  readonly tabsPerPerson: number;
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

/** The cell's limits and the person's, whichever is tighter. */
export function limitsOf<T extends Limits>(policy: PersonPolicy, own: T): T {
  const { tabs = Infinity, idle_seconds = Infinity, lifetime_seconds = Infinity } = policy.decide().settings.limits;
  return {
    ...own,
    tabsPerPerson: Math.min(own.tabsPerPerson, tabs),
    idleMs: Math.min(own.idleMs, idle_seconds * 1000),
    lifetimeMs: Math.min(own.lifetimeMs, lifetime_seconds * 1000),
  };
}

interface Deciding {
  readonly policy: PersonPolicy;
  readonly grants: PersonGrants;
  readonly plugins: readonly RegisteredPlugin[];
  /** Ends a tab whose page the policy refuses. */
  readonly endRefused: (tab: Tab) => void;
  readonly log: Log;
}

/** Ends a tab once it shows a page that the policy refuses: Chromium's cache and workers of the site have pages without asking the network. */
export function keepToPolicy({ policy, endRefused }: Pick<Deciding, 'policy' | 'endRefused'>, tab: Tab): void {
  tab.frames.onNavigation(({ frame, unreachableUrl }) => {
    if (frame.id === MAIN_FRAME && unreachableUrl === undefined && hostRefusal(policy, frame.url) !== undefined)
      endRefused(tab);
  });
}

/**
 * Applies a changed policy to a person's tabs: those whose page is refused now are ended, plugins whose capability is
 * off are withdrawn, the client gets the settings of its page. New capabilities wait for the next pairing. Never
 * rejects.
 */
export async function applyPolicy(
  { policy, grants, plugins, endRefused, log }: Deciding,
  tabs: ReadonlyMap<string, Tab>,
): Promise<void> {
  for (const tab of [...tabs.values()]) {
    if (hostRefusal(policy, tab.url) !== undefined) {
      endRefused(tab);
      continue;
    }
    try {
      const { capabilities } = await grants.grant(tab.request.url, tab.request.render_params.user_agent);
      const on = new Set(choosePlugins(plugins, capabilities).map(({ plugin }) => plugin.manifest.id));
      tab.withdraw(tab.plugins.map(({ manifest }) => manifest.id).filter((id) => !on.has(id)));
      tab.policyChanged();
    } catch (thrown) {
      log.error('a changed policy could not be applied to a tab', { tab: tab.id, error: toAppError(thrown).message });
    }
  }
}
