import type { FastifyInstance } from 'fastify';
import type { Person } from '../base/person.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { SettingsTable } from '../policy/settings-table.ts';
import type { Assets } from './assets.ts';
import { sendDocument } from './frame-routes.ts';
import { escapeHtml } from './html.ts';
import { languageOf } from './language.ts';
import { lookLink } from './look.ts';
import { portalPage, portalPolicy } from './portal.ts';
import type { GatewayTexts } from './texts/texts.ts';

/** Protection of this host's cells, as it was found at the start. */
export interface HostProtection {
  /** Mechanism of each limit of a person's processes; see `LimitsReport` of the cells. */
  readonly limits: {
    readonly memory: string;
    readonly cpu: string;
    readonly processes: string;
    /** `range`: user ids of their own for every person's processes. */
    readonly users: string;
  };
  /** Wall between the decoders of pictures and fonts and the network; `none`: there is none. */
  readonly decoderNetwork: string;
  /** Addresses that sites may reach beyond public ones. */
  readonly network: { readonly allowed: readonly string[]; readonly isPrivateAllowed: boolean };
  readonly settings: Pick<SettingsTable, 'leaves'>;
}

/** Options of the page. */
interface ProtectionRoute {
  readonly assets: Assets;
  readonly policy: Pick<PolicyEngine, 'decide'>;
  readonly protection: HostProtection;
}

type Strength = 'on' | 'weaker' | 'off';
/** Names of the texts that are pairs. */
type Pairs<T> = { readonly [K in keyof T as T[K] extends string ? never : K]: T[K] };

const KERNEL = /^cgroup/;
const MAX_ADDRESS = 2000;

type Texts = GatewayTexts['protection'];
/** One line of the page: a name of its texts. */
type Wall = readonly [strength: Strength, texts: keyof Pairs<Texts>];

/** The walls that hold for every tab, and those that depend on how the host runs. */
function wallsOf({ limits, decoderNetwork, network }: HostProtection, isEncrypted: boolean): Wall[] {
  const areLimited = [limits.memory, limits.cpu, limits.processes].every((each) => KERNEL.test(each));
  const others = network.allowed.length > 0;
  return [
    ['on', 'code'],
    ['on', 'sandbox'],
    limits.users === 'range' ? ['on', 'users'] : ['weaker', 'sharedUser'],
    areLimited ? ['on', 'limits'] : [limits.processes === 'none' ? 'off' : 'weaker', 'weakLimits'],
    decoderNetwork === 'none' ? ['weaker', 'weakDecoders'] : ['on', 'decoders'],
    network.isPrivateAllowed ? ['off', 'privateOpen'] : others ? ['weaker', 'privateSome'] : ['on', 'privateClosed'],
    isEncrypted ? ['on', 'encrypted'] : ['off', 'plain'],
  ];
}

/** Rules of the policy that are switches and that the host enforces, with their values for a page. */
function rulesOf(
  { policy, protection }: ProtectionRoute,
  person: Person,
  page: string | undefined,
): { readonly about: string; readonly value: boolean }[] {
  const traced = new Map(
    policy
      .decide(person, page)
      .trace()
      .map(({ setting, value }) => [setting, value]),
  );
  return protection.settings.leaves.flatMap(({ path, setting }) => {
    const value = traced.get(path.join('.'));
    const isShown = setting.protects && setting.gap === undefined && typeof value === 'boolean';
    return isShown ? [{ about: setting.about, value }] : [];
  });
}

/** A page whose rules are shown, and to whom. */
interface ShownFor {
  readonly page: string | undefined;
  /** The `accept-language` of the request. */
  readonly accepted: string | undefined;
  readonly look: string;
  readonly isEncrypted: boolean;
}

/** The page, with the rules for a page. `isEncrypted`: nobody on the way can read what the person's browser gets. */
export function protectionDocument(
  assets: Pick<Assets, 'style'>,
  protection: HostProtection,
  rules: readonly { readonly about: string; readonly value: boolean }[],
  { page, accepted, look, isEncrypted }: ShownFor,
): string {
  const { texts: all, ...spoken } = languageOf(accepted);
  const texts = all.protection;
  const rows = wallsOf(protection, isEncrypted).map(([strength, name]) => {
    const [title, text] = texts[name].map((each) =>
      escapeHtml(each).replace('{count}', String(protection.network.allowed.length)),
    );
    return `<li data-strength="${strength}"><b>${title}</b> <span>${texts[strength]}</span><p>${text}</p></li>`;
  });
  const where = page === undefined ? texts.anyPage : `<bdi>${escapeHtml(page)}</bdi>`;
  // Descriptions of settings are for administrators, in English.
  const said = rules.map(
    ({ about, value }) =>
      `<div><dt lang="en" dir="ltr">${escapeHtml(about)}</dt><dd>${value ? texts.yes : texts.no}</dd></div>`,
  );
  const main = `<main class="protection">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<ul class="walls">
${rows.join('\n')}
</ul>
<h2 id="rules">${texts.rules}</h2>
<form action="/protection" method="get">
<label for="page">${texts.page}</label>
<div class="bar">
<input id="page" name="page" type="text" dir="ltr" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://example.org/"${page === undefined ? '' : ` value="${escapeHtml(page)}"`}>
<button type="submit">${texts.show}</button>
</div>
</form>
<p class="lead">${texts.forPage.replace('{page}', () => where)}</p>
<dl aria-labelledby="rules">
${said.join('\n')}
</dl>
<p>${texts.forgery}</p>
<p><a href="/">${texts.openSite}</a></p>
</main>`;
  return portalPage(assets, { title: `${texts.title} - Vitrine`, ...spoken, main, look });
}

/**
 * GET /protection: tells a person what protects their tabs now. `page`: the address for which the rules of the policy are shown; without
 * it, or if it is invalid, those of any page.
 */
export function protectionRoute(app: FastifyInstance, options: ProtectionRoute): void {
  const { assets, protection } = options;
  app.get<{ Querystring: { page?: unknown } }>('/protection', (request, reply) => {
    const { page } = request.query;
    const url = typeof page === 'string' && page.length <= MAX_ADDRESS ? URL.parse(page) : null;
    const shown = url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
    const isEncrypted = request.isSecure || isLoopback(request.ip);
    const rules = rulesOf(options, request.person, shown);
    return sendDocument(
      reply,
      portalPolicy(),
      protectionDocument(assets, protection, rules, {
        page: shown,
        accepted: request.headers['accept-language'],
        isEncrypted,
        look: lookLink(options.policy, request.person),
      }),
    );
  });
}

/** Traffic of the machine itself is on no network. */
function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
