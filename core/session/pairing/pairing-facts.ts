import type { Channel } from '../../channel/channel.ts';
import type { PairingFacts, SessionFacts } from '../../contracts/client-scope.ts';
import type { ClientHooks } from '../../contracts/client-hooks.ts';
import type { NotifyHook } from '../../hooks/hook.ts';
import type { PageAddress } from '../shell/page-address.ts';
import type { Paired } from './pairing.ts';

/** Facts in addition to the response. */
interface PairedTab {
  readonly tabId: string;
  readonly mpaId: string | undefined;
  readonly origin: string;
  readonly resumed: boolean;
  /** Whether any content has been shown. */
  readonly isShown: () => boolean;
}

/** The pairing dictionary (M-020, R-016) of a pair response. */
export function pairingFacts(answer: Paired, { tabId, mpaId, origin, resumed, isShown }: PairedTab): PairingFacts {
  return {
    cid: answer.cid,
    rid: answer.rid ?? '',
    tab_id: tabId,
    safe_rid: answer.safe_rid,
    mpa_id: mpaId,
    cluster_id: answer.cluster_id,
    s_nid: answer.s_nid,
    origin,
    resumed,
    client_caps: answer.client_caps ?? {},
    rc_rlist: answer.rc_rlist ?? [],
    rc_url: answer.rc_url,
    get surrogate_view_active() {
      return isShown();
    },
    sb: answer.sb,
    inspect_host: answer.inspect_host,
    integrity_hosts: answer.integrity_hosts ?? [],
    reload_allowed: answer.reload_allowed ?? true,
    use_integrity_token: answer.use_integrity_token ?? false,
  };
}

/** Time for which plugins that load for it are waited for, in ms: one that hangs does not keep the others' from the person. */
const GATHER_MS = 1000;

/** A tab whose client runs. */
interface RunningTab extends Pick<SessionFacts, 'openTab' | 'reload'> {
  readonly address: PageAddress;
  readonly page: {
    readonly url: string;
    readonly siteCapabilities: Readonly<Record<string, unknown>>;
    /** Calls a hook once the plugins that load for it are active, after `ms` in any case. */
    notify<A>(hook: NotifyHook<A>, argument: A, ms?: number): Promise<void>;
  };
  readonly hooks: Pick<ClientHooks, 'tabActions'>;
}

/** Session facts for client halves. */
export function sessionFacts(
  { page, hooks, address, openTab, reload }: RunningTab,
  pairing: PairingFacts,
  channel: Pick<Channel, 'status' | 'bytesReceived'>,
): SessionFacts {
  return {
    capabilities: pairing.client_caps,
    siteCapabilities: () => page.siteCapabilities,
    pageUrl: () => page.url,
    prefix: address.prefix,
    cid: pairing.cid,
    tabId: pairing.tab_id,
    pairing,
    openTab,
    reload,
    gatherActions: (list) => page.notify(hooks.tabActions, list, GATHER_MS),
    isConnected: () => channel.status === 'connected',
    bytesReceived: () => channel.bytesReceived,
  };
}
