import { HelperFrame } from '../cof/client.ts';
import { frameRole } from '../frame-role.ts';

declare global {
  interface Window {
    openHelper: (origins: readonly string[]) => void;
    helper: HelperFrame;
    reports: string[];
    roleOf: (document: Document) => string | undefined;
  }
}

window.roleOf = frameRole;
window.openHelper = (origins) => {
  window.reports = [];
  window.helper = new HelperFrame({ window, origins, report: (name) => window.reports.push(name) });
};
