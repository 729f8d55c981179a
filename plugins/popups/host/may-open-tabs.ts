import type { Tab } from '../../../host/plugin.ts';

/** Whether the policy lets the page shown now, and its links, open tabs and windows (S-094). */
export function mayOpenTabs(tab: Pick<Tab, 'policy'>): boolean {
  return tab.policy().persistent_policy.new_tabs;
}
