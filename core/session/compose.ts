import { registry } from 'virtual:plugin-registry';
import { serverCaller } from '../channel/server-call.ts';
import { PingMeter } from '../events/ping-stats.ts';
import { Reporter } from '../events/reporter.ts';
import { Messages } from '../overlay/messages.ts';
import { ShellView } from '../overlay/shell-view.ts';
import { gate } from '../plugins/gate.ts';
import { OpcodeTable } from '../plugins/opcodes.ts';
import { CORE_MESSAGES } from '../protocol/core-messages.ts';
import { PROTOCOL_VERSION } from '../protocol/wire.ts';
import { runClient } from './client.ts';
import { leave } from './exit.ts';
import { bustsFrame, isTinyFrame } from './framing.ts';
import { pageAddress } from './page-address.ts';
import { entryOf, framingStatus, pairRequest } from './pair-request.ts';
import { Pairing } from './pairing.ts';
import type { Paired, PairOutcome } from './pairing.ts';
import { parseSessionInfo } from './session-info.ts';
import { claimTab, TabStore } from './tab-store.ts';

/** Kept for the session to say that a reload for another version has been tried, and when. */
const RELOADED_KEY = 'vitrine.reloaded';
const RELOADED_MS = 60_000;
/** The token that the last pairing gave, for the next one. */
const PA_TOK_KEY = 'vitrine.pa_tok';

function sessionStorageOf(window: Window): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined; // forbidden by the browser's settings
  }
}

function cookie(document: Document, name: string): string | undefined {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
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
  const messages = new Messages(navigator.languages, report);
  const texts = messages.loadCore(); // beside the pairing, which takes longer
  const shell = new ShellView(document, messages, report);
  const pings = new PingMeter();
  const storage = sessionStorageOf(window);
  const store = new TabStore({ storage, window, clusterDomain: info.CLUSTER_DOMAIN, report });
  let paired: Paired | undefined;

  window.addEventListener('pagehide', () => {
    leave({
      store,
      reporter,
      pings,
      beacon: (path, body) => void navigator.sendBeacon(path, body),
      session: () =>
        paired && {
          cid: paired.cid,
          cl: paired.cluster_id,
          body: {
            build_id: info.BUILD_ID,
            tc_api: PROTOCOL_VERSION,
            url: address?.url ?? '',
            host: location.host,
            transparent_mode: info.TPROXY_ENABLED,
            ...(address?.mpaId !== undefined && { mpa_id: address.mpaId }),
            tab_id: store.tabId,
            safe_rid: paired.safe_rid,
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
  const fail = async (
    code: string,
    id: string,
    more: { readonly title?: string; readonly message?: string; readonly details?: string } = {},
  ) => {
    await texts;
    shell.fail({
      code,
      title: more.title ?? messages.text('ID_ERROR_TITLE'),
      description: more.message ?? messages.text(id),
      ...(more.details !== undefined && { details: more.details }),
      ...(id !== 'ID_ERROR_BLOCKED' && id !== 'ID_ERROR_ADDRESS' && { retry: () => reload(code) }),
    });
  };
  /** True once: another version is not fetched by trying for ever. */
  const reloadForVersion = (): boolean => {
    const before = Number(storage?.getItem(RELOADED_KEY) ?? 0);
    if (!storage || Date.now() - before < RELOADED_MS) return false;
    storage.setItem(RELOADED_KEY, String(Date.now()));
    reload('version');
    return true;
  };

  if (!address) {
    await fail('bad-address', 'ID_ERROR_ADDRESS');
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
  if (!(await claimTab(navigator.locks, store.tabId))) {
    store.becomeAnother();
    await claimTab(navigator.locks, store.tabId);
  }

  const pairing = new Pairing({
    call,
    store,
    report,
    request: () => {
      const node = cookie(document, 'nid');
      const paTok = storage?.getItem(PA_TOK_KEY);
      return pairRequest(window, info, address, { ...(node && { pair_node: node }), ...(paTok && { pa_tok: paTok }) });
    },
    repairFields: () => ({ ...entryOf(window.history.state), dnt: navigator.doNotTrack === '1' }),
    setCookie: (name, value) => {
      const secure = location.protocol === 'https:' ? '; Secure' : '';
      document.cookie = `${name}=${encodeURIComponent(value)}; path=/; SameSite=Strict${secure}`;
    },
    onSlow: (retries) => {
      const code = (retries * 2654435761) >>> 20; // tells one report of trouble from another
      void texts.then(() => {
        shell.inform(`${messages.text('ID_TC_NETWORK_ISSUE', { code })} ${messages.text('ID_TC_NETWORK_RETRY')}`);
      });
    },
  });
  const outcome: PairOutcome = await pairing.run();
  switch (outcome.kind) {
    case 'redirect':
      if (URL.parse(outcome.url, location.href)?.protocol.match(/^https?:$/)) location.assign(outcome.url);
      else await fail('pairing-bad-redirect', 'ID_ERROR_PAIRING');
      return;
    case 'reload':
      if (!reloadForVersion()) await fail('version', 'ID_ERROR_VERSION');
      return;
    case 'blocked':
      await fail('blocked', 'ID_ERROR_BLOCKED');
      return;
    case 'tab-limit':
      await fail('tab-limit', 'ID_ERROR_TAB_LIMIT');
      return;
    case 'error':
      await fail(outcome.code, 'ID_ERROR_PAIRING', outcome);
      return;
    case 'paired':
      paired = outcome.answer;
  }
  const { answer } = outcome;
  reporter.know({
    sid: answer.cid,
    tab: store.tabId,
    ...(answer.s_nid !== undefined && { srouter_id: answer.s_nid }),
    ...(answer.cluster_id !== undefined && { cluster_id: answer.cluster_id }),
  });
  if (answer.pa_tok !== undefined) storage?.setItem(PA_TOK_KEY, answer.pa_tok);
  const table = new OpcodeTable(CORE_MESSAGES);
  const gated = gate(answer, registry, table);
  if (gated.mismatched.length > 0) {
    if (reloadForVersion()) return;
    for (const { code, message } of gated.mismatched)
      report('tc-plugin-mismatch', { code, message }, { level: 'error', force: true });
  }
  await texts;
  await runClient({
    window,
    info,
    address,
    answer,
    tabId: answer.tab_id ?? store.tabId,
    table,
    gated,
    reporter,
    pings,
    messages,
    shell,
    reload,
  });
}
