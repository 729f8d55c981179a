import type { PolicyEngine } from '../policy/engine.ts';
import type { Subject } from '../policy/decision.ts';
import type { Policy } from '../policy/policy.ts';
import { readPolicy } from '../policy/policy-reader.ts';
import { choosePlugins } from '../plugins/choice.ts';
import type { Chosen } from '../plugins/choice.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import { idleCapability } from '../policy/idle-switches.ts';
import { engineOf, checkoutWith } from './checkout.ts';
import { given, givenPlugins, givenPolicy } from './command.ts';
import type { Command } from './command.ts';

/** Number of generated people of each kind: percentages are accurate to about {@link MARGIN} points. */
const SAMPLE = 1000;
/** Twice the standard deviation of a share of a half in such a sample, in percent. */
const MARGIN = 3;

/** One browser of each name that flags may target. */
const BROWSERS: Readonly<Record<string, string>> = {
  chrome: 'Chrome/999',
  edge: 'Edg/999',
  firefox: 'Firefox/999',
  safari: 'Version/999 Safari/999',
};

const ANY_BROWSER: Readonly<Record<string, string>> = { any: '' };

/** A kind of people: those of a tenant, of one of its groups, or a user that the file names. */
interface Kind {
  readonly label: string;
  readonly people: readonly Subject[];
}

/**
 * Prints the rollout: for each capability, which version and variant of its plugin each kind of people gets, in which
 * share.
 */
export const rolloutShow: Command = {
  name: 'rollout show',
  usage: '[--policy FILE] [--group G]... [--plugins PATH]...',
  about:
    'prints who gets which version and variant of each capability; --group: adds groups that the file does not name',
  async run(args, print) {
    const { one, many } = given(args, { policy: 'one', group: 'many', plugins: 'many' });
    const checkout = await checkoutWith(givenPlugins(many('plugins')));
    const { plugins, settings, capabilities } = checkout;
    const policy = await readPolicy(givenPolicy(one('policy')), settings);
    const engine = await engineOf(policy, checkout);
    const { flags = {} } = policy.content;
    const names = [...new Set([...capabilities, ...Object.keys(flags)])];
    const agents = JSON.stringify(policy.content).includes('"browser') ? BROWSERS : ANY_BROWSER;
    const had = await Promise.all(
      kindsOf(policy, many('group')).map(async ({ label, people }) => ({
        label,
        byBrowser: await Promise.all(
          Object.entries(agents).map(async ([browser, agent]) => ({
            browser,
            outcomes: await outcomesOf(engine, plugins, names, people, agent),
          })),
        ),
      })),
    );
    let isShared = false;
    for (const name of names) {
      const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
      const idle = idleCapability(checkout, name);
      const by = flag ? `, by a flag${flag.state === 'ENABLED' ? '' : ' that is disabled'}` : '';
      print(`${name}${by}${idle === undefined ? '' : `: ${idle}`}`);
      const rows = had.flatMap(({ label, byBrowser }) => {
        const shares = byBrowser.map(({ browser, outcomes }) => ({
          label: `${label}, ${browser}`,
          share: sharesOf(outcomes, name),
        }));
        const [first] = shares;
        return first && shares.every(({ share }) => share === first.share) ? [{ label, share: first.share }] : shares;
      });
      isShared ||= rows.some(({ share }) => share.includes(' %'));
      const [first] = rows;
      if (first && rows.every(({ share }) => share === first.share)) print(`  everybody: ${first.share}`);
      else for (const { label, share } of rows) print(`  ${label}: ${share}`);
    }
    if (isShared)
      print(`Shares are of ${SAMPLE} generated people of each kind, accurate to about ${MARGIN} percentage points.`);
  },
};

function kindsOf({ content }: Policy, otherGroups: readonly string[]): Kind[] {
  return Object.entries(content.tenants).flatMap(([tenant, { groups = {}, users = {} }]) => {
    const sample = (...of: string[]): Subject[] =>
      Array.from({ length: SAMPLE }, (_, index) => ({ subject: `somebody ${index}`, tenant, groups: of }));
    return [
      { label: `tenant ${tenant}`, people: sample() },
      ...[...new Set([...Object.keys(groups), ...otherGroups])].map((group) => ({
        label: `tenant ${tenant}, group ${group}`,
        people: sample(group),
      })),
      ...Object.keys(users).map((subject) => ({
        label: `tenant ${tenant}, user ${subject}`,
        people: [{ subject, tenant, groups: [] }],
      })),
    ];
  });
}

type Capabilities = Readonly<Record<string, unknown>>;

/** Outcomes of each of these people, by capability. */
async function outcomesOf(
  engine: PolicyEngine,
  plugins: readonly RegisteredPlugin[],
  names: readonly string[],
  people: readonly Subject[],
  agent: string,
): Promise<Readonly<Record<string, string>>[]> {
  const outcomes: Readonly<Record<string, string>>[] = [];
  for (const person of people) {
    const { capabilities } = await engine.grant(person, '', agent);
    const chosen = choosePlugins(plugins, capabilities);
    outcomes.push(Object.fromEntries(names.map((name) => [name, outcomeOf(plugins, chosen, capabilities, name)])));
  }
  return outcomes;
}

/** The most frequent first: `find 1.0.0 default 69 %, off 31 %`. */
function sharesOf(outcomes: readonly Readonly<Record<string, string>>[], name: string): string {
  const counts = [...Map.groupBy(outcomes, (outcome) => outcome[name] ?? 'off')].map(
    ([outcome, { length }]) => [outcome, length] as const,
  );
  if (counts.length === 1) return counts[0]?.[0] ?? '';
  return counts
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${outcome} ${percent(count / outcomes.length)} %`)
    .join(', ');
}

/** Rounds to significant digits; a share is never shown as 0 or 100 % unless it is exact. */
function percent(share: number): string {
  const rounded = Math.round(100 * share);
  return rounded === 0 ? '< 1' : rounded === 100 ? '> 99' : String(rounded);
}

function outcomeOf(
  plugins: readonly RegisteredPlugin[],
  chosen: readonly Chosen<RegisteredPlugin>[],
  capabilities: Capabilities,
  name: string,
): string {
  const own = chosen.filter(({ plugin }) => plugin.manifest.capability === name);
  if (own.length > 0)
    return own
      .map(({ plugin: { manifest }, variant }) => `${manifest.id} ${manifest.version} ${variant}`)
      .join(' and ');
  const value = capabilities[name];
  return value === false || plugins.some(({ manifest }) => manifest.capability === name) ? 'off' : String(value);
}
