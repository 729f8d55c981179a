import { serverCaller } from '../channel/server-call.ts';
import type { CallServer } from '../channel/server-call.ts';
import { PingMeter } from '../events/ping-stats.ts';
import type { Report } from '../events/report.ts';
import { Reporter } from '../events/reporter.ts';
import { Messages } from '../overlay/messages.ts';
import { ShellView } from '../overlay/shell-view.ts';
import { PROTOCOL_VERSION } from '../protocol/wire.ts';
import { pageAddress } from './shell/page-address.ts';
import type { PageAddress } from './shell/page-address.ts';
import { parseSessionInfo } from './shell/session-info.ts';
import type { SessionInfo } from './shell/session-info.ts';
import { storageOf } from './shell/storage.ts';
import { TabStore } from './tab/tab-store.ts';

/** The parts of a client that exist before pairing. */
export interface ClientBase {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  /** The page in the shell's address, if there is one. */
  readonly address: PageAddress | undefined;
  readonly call: CallServer;
  readonly reporter: Reporter;
  readonly report: Report;
  readonly messages: Messages;
  /** The core's texts have been loaded. */
  readonly ready: Promise<void>;
  readonly shell: ShellView;
  readonly pings: PingMeter;
  readonly storage: Storage | undefined;
  readonly store: TabStore;
  /** Pairs again. State in this document is lost. */
  readonly reload: (why: string) => void;
}

/**
 * Reads the shell's data and creates the parts of a client that exist before pairing. Uncaught errors of the window are reported from then
 * on.
 *
 * @throws AppError `bad-session-info`.
 */
export function openBase(window: Window & typeof globalThis): ClientBase {
  const { document, location, navigator } = window;
  const info = parseSessionInfo(document.getElementById('vitrine-session-info')?.getAttribute('data-session'));
  const address = pageAddress(location);
  const call = serverCaller(location.origin, (label, { message, data }) => {
    if (label !== 'clientevent')
      report('tc-server-call-failed', { label, message, data }, { level: 'warning', force: true });
  });
  const reporter = new Reporter({
    call,
    url: () => address?.url ?? location.href,
    facts: { build_id: info.BUILD_ID, tc_api: PROTOCOL_VERSION, user_agent: navigator.userAgent, host: location.host },
  });
  const report: Report = reporter.report.bind(reporter);
  window.addEventListener('error', ({ message, filename, lineno }) => {
    report('tc-uncaught-exception', { message, filename, lineno }, { level: 'error' });
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    report('tc-uncaught-exception', { message: String(reason) }, { level: 'error' });
  });
  const messages = new Messages(navigator.languages, report);
  const ready = messages.loadCore(); // in parallel with pairing, which takes longer
  const storage = storageOf(window, 'sessionStorage');
  return {
    window,
    info,
    address,
    call,
    reporter,
    report,
    messages,
    ready,
    shell: new ShellView(document, messages, report),
    pings: new PingMeter(),
    storage,
    store: new TabStore({
      storage,
      window,
      isTraversal:
        (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0]?.type === 'back_forward',
      clusterDomain: info.CLUSTER_DOMAIN,
      report,
    }),
    reload: (why) => {
      report('tc-reload', { why }, { force: true });
      location.reload();
    },
  };
}
