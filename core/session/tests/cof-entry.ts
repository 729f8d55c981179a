import { HelperFrame, openHelper } from '../cof/client.ts';
import type { Helper } from '../../contracts/cross-origin-frame.ts';
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

window.roleOf = frameRole;
window.openHelper = (origins) => {
  window.reports = [];
  window.helper = new HelperFrame({ window, origins, report: (name) => window.reports.push(name) });
};
window.openByDomains = (INSPECT_DOMAIN, CLUSTER_DOMAIN) => {
  window.reports = [];
  window.helper = openHelper(window, { INSPECT_DOMAIN, CLUSTER_DOMAIN }, (name) => window.reports.push(name));
};
