import { HelperFrame, openHelper } from '../cof/client.ts';
import type { Helper } from '../../contracts/cross-origin-frame.ts';
import type { EventRecord } from '../../events/event-record.ts';
import type { Report } from '../../events/report.ts';
import { Reporter } from '../../events/reporter.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { frameRole } from '../shell/frame-role.ts';

declare global {
  interface Window {
    openHelper: (origins: readonly string[]) => void;
    /** Opens the helper with the domains of a shell. */
    openByDomains: (inspect: string, cluster: string) => void;
    helper: Helper;
    reports: string[];
    /** Origins of the reports of this name that the host is sent. */
    originsOf: (name: string) => unknown[];
    roleOf: (document: Document) => string | undefined;
  }
}

/** Shortest deadline of the helper, in ms. */
const DEADLINE_MS = 2500;

// A busy machine takes longer than the helper's deadlines. Clocks that tests install take the place of these timers.
const start = window.setTimeout.bind(window);
const startPatient = (run: () => void, ms = 0): number => start(run, ms < DEADLINE_MS ? ms : PATIENCE_MS);
window.setTimeout = startPatient as typeof setTimeout; // the client passes functions without arguments

window.roleOf = frameRole;

const sent: EventRecord[] = [];
const keep = (batch: unknown): void => void sent.push(...(batch as { items: EventRecord[] }).items); // as the reporter makes it
const reporter = new Reporter({
  call: ({ body }) => Promise.resolve(keep(body)),
  facts: { build_id: '', tc_api: 1, user_agent: '', host: '' },
  url: () => '',
});
const report: Report = (name, ...given) => {
  window.reports.push(name);
  reporter.report(name, ...given);
};
window.originsOf = (name) => {
  reporter.leave((_path, body) => keep(JSON.parse(body)));
  return sent.flatMap(({ event, data }) => (event === name ? [(data as { readonly origin?: unknown }).origin] : []));
};
window.openHelper = (origins) => {
  window.reports = [];
  window.helper = new HelperFrame({ window, origins, report });
};
window.openByDomains = (INSPECT_DOMAIN, CLUSTER_DOMAIN) => {
  window.reports = [];
  window.helper = openHelper(window, { INSPECT_DOMAIN, CLUSTER_DOMAIN }, report);
};
