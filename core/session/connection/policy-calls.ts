import type { CallServer } from '../../channel/server-call.ts';
import type { PolicyAnswers, PolicyValues } from '../../contracts/policy-answers.ts';
import type { Report } from '../../events/report.ts';
import type { CoreServicesOptions } from './core-services.ts';

/** Information about the tab in policy calls. */
interface PolicyCallsOptions {
  readonly call: CallServer;
  readonly report: Report;
  /** The session that actions apply to. */
  readonly session: { readonly cid: string; readonly cl: string | undefined; readonly safe_rid: string };
  readonly tabId: string;
  readonly pageUrl: () => string;
  readonly host: string;
  readonly proxied: boolean;
}

/** Calls the host's policy by POST /r/policy/query and /r/policy/{action}. */
export function policyCalls(options: PolicyCallsOptions): PolicyAnswers {
  const { call, report, session, tabId, pageUrl, host, proxied } = options;
  const asked = async (
    label: 'policy-query' | 'policy-action',
    path: string,
    extras: PolicyValues,
  ): Promise<PolicyValues> => {
    try {
      const answer = await call({ label, path, body: { ...extras, url: pageUrl(), host } });
      if (typeof answer === 'object' && answer !== null) return answer as PolicyValues; // any object is valid
      report(`tc-${label}-failed`, { why: 'not an object' }, { level: 'error', force: true });
    } catch (thrown) {
      report(`tc-${label}-failed`, { path, why: String(thrown) }, { level: 'error', force: true });
    }
    return {};
  };
  return {
    query: (keys) => asked('policy-query', '/r/policy/query', { policy_keys: keys, transparent_mode: proxied }),
    act(action, extras = {}) {
      const { cid, cl, safe_rid } = session;
      const query = new URLSearchParams({ cid, ...(cl !== undefined && { cl }) });
      const path = `/r/policy/${encodeURIComponent(action)}?${query}`;
      return asked('policy-action', path, { ...extras, safe_rid, tab_id: tabId });
    },
  };
}

/** Policy access for the plugins of a paired tab. */
export function tabPolicy(tab: CoreServicesOptions): PolicyAnswers {
  const { window, info, answer } = tab;
  return policyCalls({
    ...tab,
    session: { cid: answer.cid, cl: answer.cluster_id, safe_rid: answer.safe_rid },
    pageUrl: () => tab.page.url,
    host: window.location.host,
    proxied: info.TPROXY_ENABLED,
  });
}
