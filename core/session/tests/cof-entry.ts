import { HelperFrame, openHelper } from '../cof/client.ts';
import type { Helper } from '../../contracts/cross-origin-frame.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { frameRole } from '../shell/frame-role.ts';

declare global {
  interface Window {
    openHelper: (origins: readonly string[]) => void;
    /** Opens the helper with the domains of a shell. */
    openByDomains: (inspect: string, cluster: string) => void;
    helper: Helper;
    reports: string[];
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
window.openHelper = (origins) => {
  window.reports = [];
  window.helper = new HelperFrame({ window, origins, report: (name) => window.reports.push(name) });
};
window.openByDomains = (INSPECT_DOMAIN, CLUSTER_DOMAIN) => {
  window.reports = [];
  window.helper = openHelper(window, { INSPECT_DOMAIN, CLUSTER_DOMAIN }, (name) => window.reports.push(name));
};
