import type { FastifyInstance } from 'fastify';
import type { Person } from '../base/person.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { SettingsTable } from '../policy/settings-table.ts';
import type { Assets } from './assets.ts';
import { sendDocument } from './frame-routes.ts';
import { escapeHtml } from './html.ts';
import { lookLink } from './look.ts';
import { portalPage, portalPolicy } from './portal.ts';

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

/** One line of the page. */
interface Wall {
  readonly strength: Strength;
  readonly title: string;
  readonly text: string;
}

const LABELS: Readonly<Record<Strength, string>> = { on: 'On', weaker: 'Weaker', off: 'Off' };
const KERNEL = /^cgroup/;
const MAX_ADDRESS = 2000;

/** The walls that hold for every tab, and those that depend on how the host runs. */
function wallsOf({ limits, decoderNetwork, network }: HostProtection, isEncrypted: boolean): Wall[] {
  const wall = (strength: Strength, title: string, text: string): Wall => ({ strength, title, text });
  const others = network.allowed.length;
  return [
    wall(
      'on',
      'No code of sites in your browser',
      'Sites run in a browser on the host. Yours gets elements, styles and pictures that were checked twice, in a frame without scripts.',
    ),
    wall(
      'on',
      'A sandboxed browser of your own',
      'Nobody else uses it. Its profile is deleted when your session ends.',
    ),
    limits.users === 'range'
      ? wall(
          'on',
          'Separate users',
          'Your processes have user ids of their own: they cannot read or stop those of other people.',
        )
      : wall(
          'weaker',
          'Separate users',
          'The host does not run as root: the processes of all people have one user id. The sandbox alone separates them.',
        ),
    [limits.memory, limits.cpu, limits.processes].every((each) => KERNEL.test(each))
      ? wall(
          'on',
          'Limits',
          'The kernel limits the memory, processor time and processes of your session: others are not slowed down.',
        )
      : wall(
          limits.processes === 'none' ? 'off' : 'weaker',
          'Limits',
          'The kernel does not limit everything that your session uses: the host looks at its memory and ends it when it is too large.',
        ),
    decoderNetwork === 'none'
      ? wall(
          'weaker',
          'Converted pictures',
          'Pictures that the policy has converted are decoded in a process of their own, but the host cannot keep it from the network.',
        )
      : wall(
          'on',
          'Converted pictures',
          'Pictures that the policy has converted are decoded in a process of their own, without a network.',
        ),
    network.isPrivateAllowed
      ? wall(
          'off',
          'Private network',
          'Sites may reach private addresses behind the host. Its administrator has allowed that.',
        )
      : others > 0
        ? wall(
            'weaker',
            'Private network',
            `Sites cannot reach private addresses, but for ${others} that the administrator has allowed.`,
          )
        : wall('on', 'Private network', 'Sites cannot reach private addresses behind the host.'),
    isEncrypted
      ? wall('on', 'Connection', 'What goes between your browser and the host cannot be read on the way.')
      : wall('off', 'Connection', 'The connection to the host is not encrypted: others on the network can read it.'),
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

/** The page, with the rules for a page. `isEncrypted`: nobody on the way can read what the person's browser gets. */
export function protectionDocument(
  assets: Pick<Assets, 'style'>,
  protection: HostProtection,
  rules: readonly { readonly about: string; readonly value: boolean }[],
  {
    page,
    look,
    isEncrypted,
  }: { readonly page: string | undefined; readonly look: string; readonly isEncrypted: boolean },
): string {
  const rows = wallsOf(protection, isEncrypted).map(
    ({ strength, title, text }) =>
      `<li data-strength="${strength}"><b>${title}</b> <span>${LABELS[strength]}</span><p>${escapeHtml(text)}</p></li>`,
  );
  const where = page === undefined ? 'any page' : escapeHtml(page);
  const main = `<main class="protection">
<h1>Protection</h1>
<p class="lead">Active between sites and you, now.</p>
<ul class="walls">
${rows.join('\n')}
</ul>
<h2 id="rules">Rules of your organisation</h2>
<form action="/protection" method="get">
<label for="page">Page</label>
<div class="bar">
<input id="page" name="page" type="text" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://example.org/"${page === undefined ? '' : ` value="${escapeHtml(page)}"`}>
<button type="submit">Show</button>
</div>
</form>
<p class="lead">For ${where}:</p>
<dl aria-labelledby="rules">
${rules.map(({ about, value }) => `<div><dt>${escapeHtml(about)}</dt><dd>${value ? 'yes' : 'no'}</dd></div>`).join('\n')}
</dl>
<p>Isolation does not judge sites: a page that asks for a password can still be a forgery. Look at its address.</p>
<p><a href="/">Open a site</a></p>
</main>`;
  return portalPage(assets, { title: 'Protection - Vitrine', main, look });
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
