import { registry } from 'virtual:plugin-registry';
import { serverCaller } from '../channel/server-call.ts';
import { PingMeter } from '../events/ping-stats.ts';
import { Reporter } from '../events/reporter.ts';
import { softAssert } from '../events/soft-assert.ts';
import { Messages } from '../overlay/messages.ts';
import { ShellView } from '../overlay/shell-view.ts';
import { gate } from '../plugins/client/gate.ts';
import { OpcodeTable } from '../plugins/opcodes.ts';
import type { PairRequest, RenderParams } from '../protocol/pairing.ts';
import { CORE_MESSAGES } from '../protocol/core-messages.ts';
import { LEAVING_COOKIE, LEAVING_TERMS } from '../protocol/shell-address.ts';
import { PROTOCOL_VERSION } from '../protocol/wire.ts';
import { runClient } from './client.ts';
import { leave, sendOnExit } from './exit/exit.ts';
import { readCookie, setCookie } from './shell/cookies.ts';
import { bustsFrame, framingStatus, isTinyFrame } from './shell/framing.ts';
import { pageAddress } from './shell/page-address.ts';
import { entryOf, knownPosture, pairRequest } from './pairing/pair-request.ts';
import { showFailure } from './recovery/failure.ts';
import { Pairing } from './pairing/pairing.ts';
import type { Paired } from './pairing/pairing.ts';
import { issuePid, takePid } from './pairing/pid-token.ts';
import { renderParams } from './shell/render-params.ts';
import { parseSessionInfo } from './shell/session-info.ts';
import { claimTab, TabStore } from './tab/tab-store.ts';
import { RESTORED_NOTICE_MS } from './page/core-handlers.ts';

/** Kept for the session to say that a reload for another version has been tried, and when. */
const RELOADED_KEY = 'vitrine.reloaded';
const RELOADED_MS = 60_000;
/** The token that the last pairing gave, for the next one. */
const PA_TOK_KEY = 'vitrine.pa_tok';
/** What policy has kept for this tab. */
const POLICY_KEY = 'vitrine.persistent_policy';

function storageOf(window: Window, kind: 'sessionStorage' | 'localStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined; // forbidden by the browser's settings
  }
}

function storedJson(storage: Storage | undefined, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? '') as unknown;
  } catch {
    return undefined; // absent, or not ours
  }
}

/**
 * Starts the client in a shell: reads what the shell says, pairs, and runs the paired tab. The composition root: all that the client
 * is made of is made here or in `runClient`.
 */
export async function startSession(window: Window & typeof globalThis): Promise<void> {
  const { document, location, navigator } = window;
  const info = parseSessionInfo(document.getElementById('vitrine-session-info')?.getAttribute('data-session'));
  const call = serverCaller(location.origin, (label, { message, data }) => {
    if (label !== 'clientevent')
      reporter.report('tc-server-call-failed', { label, message, data }, { level: 'warning', force: true });
  });
  const address = pageAddress(location);
  const reporter: Reporter = new Reporter({
    call,
    url: () => address?.url ?? location.href,
    facts: { build_id: info.BUILD_ID, tc_api: PROTOCOL_VERSION, user_agent: navigator.userAgent, host: location.host },
  });
  const report = reporter.report.bind(reporter);
  window.addEventListener('error', ({ message, filename, lineno }) => {
    report('tc-uncaught-exception', { message, filename, lineno }, { level: 'error' });
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    report('tc-uncaught-exception', { message: String(reason) }, { level: 'error' });
  });
  const messages = new Messages(navigator.languages, report);
  const texts = messages.loadCore(); // beside the pairing, which takes longer
  const shell = new ShellView(document, messages, report);
  const pings = new PingMeter();
  const storage = storageOf(window, 'sessionStorage');
  const shared = storageOf(window, 'localStorage');
  const cookie = (name: string): string | undefined => readCookie(document, name);
  const store = new TabStore({ storage, window, clusterDomain: info.CLUSTER_DOMAIN, report });
  const tab: { paired?: Paired } = {};

  window.addEventListener('beforeunload', () => {
    if (tab.paired) setCookie(document, LEAVING_COOKIE, '1', LEAVING_TERMS);
  });
  window.addEventListener('pagehide', () => {
    leave({
      store,
      reporter,
      pings,
      beacon: sendOnExit(window),
      session: () =>
        tab.paired && {
          cid: tab.paired.cid,
          cl: tab.paired.cluster_id,
          body: {
            build_id: info.BUILD_ID,
            tc_api: PROTOCOL_VERSION,
            url: address?.url ?? '',
            host: location.host,
            transparent_mode: info.TPROXY_ENABLED,
            ...(address?.mpaId !== undefined && { mpa_id: address.mpaId }),
            tab_id: store.tabId,
            safe_rid: tab.paired.safe_rid,
          },
        },
    });
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload(); // its channel is long dead
  });
  const reload = (why: string): void => {
    report('tc-reload', { why }, { force: true });
    location.reload();
  };
  const failures = { shell, messages, ready: texts, reload };
  /** True once: another version is not fetched by trying for ever. */
  const reloadForVersion = (): boolean => {
    const before = Number(storage?.getItem(RELOADED_KEY) ?? 0);
    if (!storage || Date.now() - before < RELOADED_MS) return false;
    storage.setItem(RELOADED_KEY, String(Date.now()));
    reload('version');
    return true;
  };

  if (!address) {
    report('tc-pairing-invalid-url', { path: location.pathname }, { level: 'warning' });
    await showFailure({ kind: 'bad-address' }, failures);
    return;
  }
  const framed = {
    status: framingStatus(window),
    width: window.innerWidth,
    height: window.innerHeight,
    host: location.hostname,
  };
  if (bustsFrame(framed, info.FRAMEBUST) && window.top) {
    window.top.location.href = location.href;
    return;
  }
  if (isTinyFrame(framed)) {
    report('tc-blocked-tiny-iframe', { width: framed.width, height: framed.height }, { level: 'warning' });
    return;
  }
  const claimed = claimTab(navigator.locks, store.tabId);
  // Only a pairing that is to be taken up again can be another tab's; the lock takes longer than all that comes before the pair request.
  if (store.load() && !(await claimed)) {
    store.becomeAnother();
    await claimTab(navigator.locks, store.tabId);
  }

  const pid = takePid(shared, document.referrer);
  let told: RenderParams = renderParams(window);
  const request = async (): Promise<PairRequest> => {
    const node = cookie('nid');
    const paTok = storage?.getItem(PA_TOK_KEY);
    const kept = storedJson(storage, POLICY_KEY);
    const posture = knownPosture(cookie('posture'), report);
    const gathered = await pairRequest(window, info, address, {
      ...(node && { pair_node: node }),
      ...(pid && { pid }),
      ...(paTok && { pa_tok: paTok }),
      ...(posture && { chrome_posture: posture }),
      ...(kept !== undefined && { persistent_policy: kept }),
    });
    told = gathered.render_params;
    return gathered;
  };
  const pairing = new Pairing({
    call,
    store,
    report,
    request,
    repairFields: () => ({ ...entryOf(window.history.state), dnt: navigator.doNotTrack === '1' }),
    setCookie: (name, value) => {
      setCookie(document, name, value);
    },
    context: {
      ...(address.mpaId !== undefined && { mpa_id: address.mpaId }),
      protocol_domain: location.hostname,
      cluster_domain: info.CLUSTER_DOMAIN,
      inspect_domain: info.INSPECT_DOMAIN,
    },
    hasCookie: (name) => cookie(name) !== undefined,
    onSlow: (why) => {
      void texts.then(() => shell.trouble(why));
    },
  });
  const outcome = await pairing.run();
  if (outcome.kind === 'elsewhere') {
    const { goElsewhere } = await import('./exit/elsewhere.ts');
    const leaving = { window, page: address, request: await request(), proxied: info.TPROXY_ENABLED };
    if (!goElsewhere(outcome.to, leaving)) await showFailure({ kind: 'error', code: 'bad-redirect' }, failures);
    return;
  }
  if (outcome.kind === 'reload' && reloadForVersion()) return;
  if (outcome.kind !== 'paired') {
    await showFailure(outcome, failures);
    return;
  }
  const { answer } = outcome;
  tab.paired = answer;
  reporter.know({
    sid: answer.cid,
    tab: store.tabId,
    ...(answer.s_nid !== undefined && { srouter_id: answer.s_nid }),
    ...(answer.cluster_id !== undefined && { cluster_id: answer.cluster_id }),
  });
  softAssert(answer.rid !== undefined && answer.tab_id !== undefined, 'a session without rid or tab_id', report);
  if (answer.pa_tok !== undefined) storage?.setItem(PA_TOK_KEY, answer.pa_tok);
  const table = new OpcodeTable(CORE_MESSAGES);
  const gated = gate(answer, registry, table);
  if (gated.mismatched.length > 0) {
    if (reloadForVersion()) return;
    for (const { code, message } of gated.mismatched)
      report('tc-plugin-mismatch', { code, message }, { level: 'error', force: true });
  }
  await texts;
  if (outcome.isLost) shell.notice('surrogate', messages.text('ID_SURROGATE_RESTORED'), RESTORED_NOTICE_MS);
  await runClient({
    window,
    info,
    address,
    answer,
    tabId: answer.tab_id ?? store.tabId,
    openTab: (path) => {
      issuePid(shared, location.href);
      window.open(path, '_blank', 'noopener');
    },
    told,
    onShown: () => store.update({ surrogate_view_active: true }),
    keepPolicy: (policy) => storage?.setItem(POLICY_KEY, JSON.stringify(policy ?? null)),
    table,
    gated,
    call,
    reporter,
    pings,
    messages,
    shell,
    reload,
  });
}
