import { registry } from 'virtual:plugin-registry';
import { softAssert } from '../events/soft-assert.ts';
import { gate } from '../loader/gate.ts';
import { OpcodeTable } from '../plugins/opcodes.ts';
import { CORE_MESSAGES } from '../protocol/core-messages.ts';
import type { PairRequest } from '../protocol/pairing.ts';
import { openBase } from './client-base.ts';
import type { ClientBase } from './client-base.ts';
import { runClient } from './client.ts';
import type { ClientOptions } from './client.ts';
import { openAhead } from './connection/open-channel.ts';
import type { ChannelAhead } from './connection/open-channel.ts';
import { watchExit } from './exit/watch-exit.ts';
import { RESTORED_NOTICE_MS } from './page/core-handlers.ts';
import { entryOf } from './pairing/pair-request.ts';
import { Pairing } from './pairing/pairing.ts';
import type { Paired, PairOutcome } from './pairing/pairing.ts';
import { storePid } from './pairing/pid-token.ts';
import { PA_TOK_KEY, POLICY_KEY, requestGatherer } from './pairing/request-source.ts';
import type { Failure } from './recovery/failure.ts';
import { versionReload } from './recovery/version-reload.ts';
import { readCookie, setCookie } from './shell/cookies.ts';
import type { PageAddress } from './shell/page-address.ts';
import { renderParams } from './shell/render-params.ts';
import { storageOf } from './shell/storage.ts';
import { claimIdentity } from './tab/tab-store.ts';

/**
 * Starts the client in a shell: reads the shell's data, pairs, and runs the paired tab. The composition root: all parts of the client are
 * created here, in `openBase` or in `runClient`.
 */
export async function startSession(window: Window & typeof globalThis): Promise<void> {
  const base = openBase(window);
  const { info, address, report, store, storage, reload } = base;
  const reloadForVersion = versionReload(storage, reload);
  // Where its code cannot be loaded, the host has another version of the client.
  const fail = (failure: Failure): Promise<unknown> =>
    import('./recovery/failure.ts').then(({ showFailure }) => showFailure(failure, base), reloadForVersion);
  const tab: { paired?: Paired } = {};
  watchExit({ ...base, paired: () => tab.paired });
  if (!address) {
    report('tc-pairing-invalid-url', { path: window.location.pathname }, { level: 'warning' });
    await fail({ kind: 'bad-address' });
    return;
  }
  if (window.top !== window) {
    const { refusesFrame } = await import('./shell/frame-refusal.ts');
    if (refusesFrame(window, address.url, info.FRAMEBUST, report)) return;
  }
  await claimIdentity(window.navigator.locks, store);

  let sentParams = renderParams(window);
  const gather = requestGatherer({ ...base, address });
  const request = async (): Promise<PairRequest> => {
    const gathered = await gather();
    sentParams = gathered.render_params;
    return gathered;
  };
  let ahead: ChannelAhead | undefined;
  const onBegin = (attempt: string): void => {
    ahead = openAhead(window, attempt);
  };
  const outcome = await pairing(base, address, request, onBegin).run();
  if (outcome.kind !== 'paired') ahead?.socket.close();
  if (outcome.kind === 'elsewhere') {
    const { goElsewhere } = await import('./exit/elsewhere.ts');
    const leaving = { window, page: address, request: await request(), proxied: info.TPROXY_ENABLED, store };
    if (!goElsewhere(outcome.to, leaving)) await fail({ kind: 'error', code: 'bad-redirect' });
    return;
  }
  if (outcome.kind === 'reload' && reloadForVersion()) return;
  if (outcome.kind !== 'paired') {
    await fail(outcome);
    return;
  }
  tab.paired = outcome.answer;
  await runPaired({ ...base, address, sentParams, ahead }, outcome, reloadForVersion);
}

/** Creates the pairing of this shell's tab. */
function pairing(
  base: ClientBase,
  address: PageAddress,
  request: () => Promise<PairRequest>,
  onBegin: (attempt: string) => void,
): Pairing {
  const { window, info, ready, shell } = base;
  const { document, location, navigator, history } = window;
  return new Pairing({
    ...base,
    request,
    onBegin,
    repairFields: () => ({ ...entryOf(history.state), dnt: navigator.doNotTrack === '1' }),
    setCookie: (name, value) => {
      setCookie(document, name, value);
    },
    context: {
      ...(address.mpaId !== undefined && { mpa_id: address.mpaId }),
      protocol_domain: location.hostname,
      cluster_domain: info.CLUSTER_DOMAIN,
      inspect_domain: info.INSPECT_DOMAIN,
    },
    hasCookie: (name) => readCookie(document, name) !== undefined,
    onSlow: (why) => {
      void ready.then(() => shell.trouble(why));
    },
  });
}

/** Runs the tab of a session, unless it needs another version of the client. */
async function runPaired(
  base: ClientBase & Pick<ClientOptions, 'address' | 'ahead' | 'sentParams'>,
  { answer, repaired, isLost }: Extract<PairOutcome, { readonly kind: 'paired' }>,
  reloadForVersion: () => boolean,
): Promise<void> {
  const { window, reporter, report, store, storage } = base;
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
  await base.ready;
  if (isLost) base.shell.notice('surrogate', base.messages.text('ID_SURROGATE_RESTORED'), RESTORED_NOTICE_MS);
  await runClient({
    ...base,
    answer,
    resumed: repaired,
    tabId: answer.tab_id ?? store.tabId,
    openTab: (path, token, features = 'noopener', name = '_blank') => {
      if (token !== undefined) storePid(storageOf(window, 'localStorage'), token, window.location.href);
      return window.open(path, name, features);
    },
    onShown: () => store.update({ surrogate_view_active: true }),
    storage,
    keepPolicy: (policy) => storage?.setItem(POLICY_KEY, JSON.stringify(policy ?? null)),
    table,
    gated,
  });
}
