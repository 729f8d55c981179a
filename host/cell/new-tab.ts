import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { PairAnswer, PairRequest } from '../../core/protocol/pairing.ts';
import type { PersonGrants } from '../policy/person-grants.ts';
import type { PersonPolicy } from '../policy/person-policy.ts';
import { reachBareDocuments } from './tab/bare-documents.ts';
import { choosePlugins } from '../plugins/choice.ts';
import { logWith } from '../plugins/plugin-scope.ts';
import { keepToPolicy } from './session/policy-limits.ts';
import type { PersonSession } from './session/person-session.ts';
import { Tab } from './tab/tab.ts';
import type { TabResources } from './resources/tab-resources.ts';
import { randomToken } from '../base/random-token.ts';
import type { CellParts } from './cell.ts';

/** Parts of a cell that tabs are made of. */
export interface TabParts extends CellParts {
  readonly policy: PersonPolicy;
  readonly grants: PersonGrants;
  readonly resources: TabResources;
  /** Ends a tab whose page the policy refuses. */
  readonly endRefused: (tab: Tab) => void;
}

/** Creates a tab for a granted request, with all that the policy permits; its host halves are activated later. */
export async function newTab(parts: TabParts, session: PersonSession, request: PairRequest): Promise<Tab> {
  const { plugins, policy, grants, resources, fonts, accessOf, onFault, log } = parts;
  const { person, cid } = session;
  const { capabilities, flags } = await grants.grant(request.url, request.render_params.user_agent);
  for (const [flag, { variant, reason }] of flags) log.info('flag', { cid, flag, variant, reason });
  const chosen = choosePlugins(plugins, capabilities);
  await session.plugins.activate(chosen, accessOf);
  const id = randomToken();
  const tab = new Tab({
    id,
    cid,
    safeRid: randomToken(),
    rid: randomToken(),
    subject: person.subject,
    request,
    capabilities,
    policy: {
      decide: (address) => policy.decide(address),
      siteCapabilities: (url) => policy.siteCapabilities(url),
    },
    plugins: chosen,
    flags: flags.map(([flag]) => flag),
    surrogate: () => session.userAgent(),
    reasonFor: (url) => session.reasonFor(url),
    resource: (tab, kind, address, frame) => resources.register(tab, kind, address, frame),
    shows: (path) => resources.shows(path),
    systemFonts: fonts,
    services: session.plugins.services,
    accessOf,
    closeWindow: (tab, token) => session.windows.close(tab, token),
    onShown: (tab, isShown) => session.show(tab, isShown),
    onStuck: (tab) => session.replacePage(tab),
    messagesPerSecond: parts.limits.pageMessagesPerSecond,
    budgets: parts.limits.budgets,
    onFault,
    log: logWith(log, { cid, tab: id }),
  });
  resources.watch(tab);
  reachBareDocuments(tab.frames, parts.extensionDir);
  keepToPolicy(parts, tab);
  return tab;
}

/** Pairing answer for the client of a tab, which has asked by `request`. */
export function pairAnswer(
  policy: PersonPolicy,
  session: PersonSession,
  tab: Tab,
  request: Pick<PairRequest, 'is_post' | 'reload_allowed'>,
): PairAnswer {
  const plugins = tab.grants.map((grant) => {
    const plugin = tab.plugins.find(({ manifest }) => manifest.id === grant.id);
    if (!plugin?.external) return grant;
    return {
      ...grant,
      manifest: clientManifest(plugin.manifest),
      ...(plugin.module !== undefined && { module: plugin.module }),
    };
  });
  return {
    version: 'ok',
    safe_rid: tab.safeRid,
    cid: session.cid,
    rid: tab.rid,
    tab_id: tab.id,
    cluster_id: 'local',
    plugins,
    client_caps: { ...tab.capabilities },
    site_caps: { ...tab.siteCapabilities() },
    customization: policy.customization(tab.url),
    // A shell that has come with the body of a form would send that again.
    reload_allowed: request.reload_allowed !== false && request.is_post !== true,
    banner_hidden: policy.decide(tab.url).settings.banner.banner_hidden,
  };
}

/** A manifest from outside the build without what a client does not go by. */
function clientManifest(manifest: AnyManifest): object {
  const {
    protocol: _protocol,
    settings: _settings,
    options: _options,
    metrics: _metrics,
    eventFiles: _eventFiles,
    launch: _launch,
    ...rest
  } = manifest;
  return rest;
}
