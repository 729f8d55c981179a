import { AppError } from '../../core/protocol/errors.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { Grant } from '../policy/person-grants.ts';
import type { Decision, Rule, Subject, Traced } from '../policy/decision.ts';
import type { PlacedPolicy } from '../policy/policy.ts';
import { readPolicy } from '../policy/policy-reader.ts';
import { choosePlugins } from '../plugins/choice.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import { idleCapability } from '../policy/idle-switches.ts';
import { engineOf, placeOf, checkoutWith } from './checkout.ts';
import type { Checkout } from './checkout.ts';
import { given, givenPlugins, givenPolicy } from './command.ts';
import type { Command } from './command.ts';

/** Prints the settings of a person on a page, and which rule of the file has decided each. */
export const policyExplain: Command = {
  name: 'policy explain',
  usage:
    '--user U [--url URL] [--policy FILE] [--tenant T] [--group G]... [--user-agent TEXT] [--plugins PATH]... [--all]',
  about: 'prints the settings of a person on a page, and the rule that decides each; --all: defaults, too',
  async run(args, print) {
    const { one, many, has } = given(args, {
      user: 'one',
      url: 'one',
      policy: 'one',
      tenant: 'one',
      group: 'many',
      'user-agent': 'one',
      plugins: 'many',
      all: 'switch',
    });
    const user = one('user');
    if (user === undefined) throw new AppError('bad-option', 'no person: use --user');
    const url = one('url');
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new AppError('bad-option', `--url: ${JSON.stringify(url)} is not an address: write https://site/page`);
    const subject = { subject: user, tenant: one('tenant') ?? 'default', groups: many('group') };
    const checkout = await checkoutWith(givenPlugins(many('plugins')));
    const { plugins, settings } = checkout;
    const policy = await readPolicy(givenPolicy(one('policy')), settings);
    const engine = await engineOf(policy, checkout);
    const grant = await engine.grant(subject, url ?? '', one('user-agent') ?? '');
    const decision = engine.decide(subject, url);
    for (const line of [
      ...whom(subject, decision, url),
      ...(url === undefined ? [] : reach(engine, subject, url)),
      ...decision.trace().flatMap((traced) => (has('all') || traced.decidedBy ? explained(policy, traced) : [])),
      ...(decision.known ? [...capabilities(policy, checkout, decision, grant), ...pluginLines(plugins, grant)] : []),
    ])
      print(line);
  },
};

function whom({ subject, tenant }: Subject, { known, groups }: Decision, url: string | undefined): string[] {
  const where = url === undefined ? 'on any page' : `on ${url}`;
  const line = `${subject} of tenant ${tenant}, ${groups.length > 0 ? `groups ${groups.join(', ')}` : 'no group'}, ${where}`;
  return known ? [line] : [line, `The policy does not know the tenant ${tenant}: its people are refused.`];
}

function reach(engine: PolicyEngine, subject: Subject, address: string): string[] {
  const { hostname, port, protocol } = new URL(address);
  if (hostname === '') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const verdict = engine.mayReach(subject, { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  return [verdict.allow ? `${host} may be reached.` : `${host} is refused: ${verdict.message}`];
}

/** A setting with all its rules, from the outermost level; the deciding one is marked. */
function explained(policy: PlacedPolicy, { setting, value, rules, decidedBy }: Traced): string[] {
  const width = Math.max(0, ...rules.map(({ level }) => level.length));
  const records = recordsOf(value);
  if (records) {
    const places = rules.flatMap(({ path, value: own }) => (own as unknown[]).map((_each, at) => [...path, at]));
    const lines = records.map(
      ({ origin, ...record }, at) => `    ${origin}  ${shown(record)}  (${placeOf(policy, places[at] ?? [])})`,
    );
    return ['', `${setting}: all that match hold, and the strictest one decides`, ...lines];
  }
  return [
    '',
    `${setting}: ${shown(value)}${decidedBy ? '' : ' (by default)'}`,
    ...rules.map(
      (rule) =>
        `  ${rule === decidedBy ? '>' : ' '} ${rule.level.padEnd(width)}  ${shown(rule.value)}  (${placeOf(policy, rule.path)})`,
    ),
  ];
}

/** The records of a setting, where it has some. */
function recordsOf(value: unknown): readonly { readonly origin: string }[] | undefined {
  const isOfRecords = Array.isArray(value) && value.length > 0 && Object.hasOwn(Object(value[0]) as object, 'origin');
  return isOfRecords ? (value as { readonly origin: string }[]) : undefined; // the setting adds it to each
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Capabilities of the person, with all that decided: the specification's own switch, a rule of the policy, a flag. */
function capabilities(
  policy: PlacedPolicy,
  checkout: Checkout,
  decision: Decision,
  { capabilities: had, flags: assigned }: Grant,
): string[] {
  const flags = new Map(assigned);
  const trace = new Map(decision.trace().map((traced) => [traced.setting, traced]));
  const switched = trace.get('capabilities')?.rules ?? [];
  const names = new Set([...switched.flatMap(({ value }) => Object.keys(value as object)), ...flags.keys()]);
  const lines = [...names].map((name) => {
    const own = trace.get(`client_capabilities.${name}`);
    const flag = flags.get(name);
    const rule = ruleFor(switched, name);
    const said = [
      ...(own ? [ownSwitch(policy, own)] : []),
      ...(rule ? [`${rule.level} says ${shown(switchOf(rule, name))} (${placeOf(policy, [...rule.path, name])})`] : []),
      ...(flag ? [`flag ${name} says ${flag.variant} (${flag.reason})`] : []),
      ...[idleCapability(checkout, name) ?? []].flat(),
    ];
    return `  ${name}: ${shown(had[name])}: ${said.join('; ')}`;
  });
  return lines.length > 0 ? ['', 'Capabilities', ...lines] : [];
}

/** A capability with a setting of its own, which only that setting turns on. */
function ownSwitch(policy: PlacedPolicy, { setting, value, decidedBy }: Traced): string {
  const by = decidedBy ? `${decidedBy.level} (${placeOf(policy, decidedBy.path)})` : 'default';
  return `${setting} is ${shown(value)} by ${by}`;
}

/** Of the rules that name a switch, the first that turns it off, else the last. */
function ruleFor(rules: readonly Rule[], name: string): Rule | undefined {
  const own = rules.filter((rule) => switchOf(rule, name) !== undefined);
  return own.find((rule) => switchOf(rule, name) === false) ?? own.at(-1);
}

function switchOf({ value }: Rule, name: string): unknown {
  const switches = value as Readonly<Record<string, unknown>>; // the setting's own schema
  return Object.hasOwn(switches, name) ? switches[name] : undefined;
}

function pluginLines(plugins: readonly RegisteredPlugin[], { capabilities: had }: Grant): string[] {
  const chosen = choosePlugins(plugins, had);
  const ids = [...new Set(plugins.map(({ manifest }) => manifest.id))];
  const lines = ids.map((id) => {
    const on = chosen.find(({ plugin }) => plugin.manifest.id === id);
    return `  ${id}: ${on ? `${on.plugin.manifest.version}, variant ${on.variant}` : 'off'}`;
  });
  return ['', 'Plugins', ...lines];
}
