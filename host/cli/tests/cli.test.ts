import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '../main.ts');
const POLICY = `tenants:
  acme:
    policy:
      copy_paste: { disable_copy: false }
      capabilities: { gone: false }
      egress: { block: ['*.bad.example'], message: Not from here }
    groups:
      staff:
        policy: { copy_paste: { disable_copy: true } }
        sites:
          - { match: docs.example, policy: { site_capabilities: { print_enabled: false } } }
    users:
      anna: { groups: [staff], policy: { limits: { tabs: 3 } } }
flags:
  notes:
    state: ENABLED
    variants: { 'on': true, 'off': false, next: next }
    defaultVariant: 'on'
    targeting:
      if:
        - in: [staff, { var: groups }]
        - fractional: [[next, 30], ['on', 70]]
        - { '===': [{ var: browser.name }, firefox] }
        - 'off'
        - 'on'
`;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('the vitrine command', () => {
  let folder: string;
  let policy: string;
  let plugins: string[];
  const file = (name: string, text: string): string => {
    const written = path.join(folder, name);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, text);
    return written;
  };
  const plugin = (name: string, manifest: object): string => {
    const all = { id: 'notes', api: 1, description: 'Notes', activation: 'boot', capability: 'notes', ...manifest };
    return path.dirname(file(`${name}/manifest.js`, `export const manifest = ${JSON.stringify(all)};`));
  };
  const vitrine = (...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const { VITRINE_POLICY: _policy, VITRINE_PLUGINS: _plugins, INIT_CWD: _cwd, ...env } = process.env;
      const child = execFile(process.execPath, [MAIN, ...args], { env, cwd: folder }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-cli-'));
    policy = file('p.yaml', POLICY);
    const folders = [plugin('one', { version: '1.0.0' }), plugin('two', { version: '2.0.0', variants: ['next'] })];
    plugins = folders.flatMap((each) => ['--plugins', each]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('summarises a policy file, and warns of unused capabilities', async () => {
    const { code, out } = await vitrine('policy', 'check', policy, ...plugins);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'p.yaml:5:29: warning: no plugin here has the capability gone',
      'p.yaml is valid: 1 tenant, 1 group, 1 user, 1 site rule, 1 flag.',
      '',
    ]);
  });

  it('lists all faults of a policy file, by line and column, and fails', async () => {
    const wrong = file(
      'wrong.yaml',
      'tenants:\n  acme:\n    policy:\n      limits: { tabs: many }\n      colour: red\n',
    );
    const { code, out, err } = await vitrine('policy', 'check', wrong);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^wrong\.yaml:4:23: tabs: .*number/),
      expect.stringMatching(/^wrong\.yaml:5:7: unknown key "colour": expected one of /),
    ]);
    expect(await vitrine('policy', 'check', path.join(folder, 'absent.yaml'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('absent.yaml cannot be read'),
    });
  });

  it('refuses a policy file that asks for protection that nothing enforces, with its line', async () => {
    const asked = file('asked.yaml', 'tenants:\n  acme:\n    policy:\n      renderer: compositor\n');
    expect(await vitrine('policy', 'check', asked)).toEqual({
      code: 1,
      out: '',
      err: 'asked.yaml:4:17: renderer would have no effect: the compositor does not show pages yet\n',
    });
  });

  it('uses the settings that an external plugin declares', async () => {
    const settings = { styled: { wide: { kind: 'demand', fallback: false, about: 'Wide notes' } } };
    const styled = ['--plugins', plugin('styled', { id: 'styled', version: '1.0.0', settings })];
    const own = file('styled.yaml', 'tenants:\n  acme:\n    policy:\n      styled: { wide: true }\n');
    expect((await vitrine('policy', 'check', own)).err).toMatch(/^styled\.yaml:4:7: unknown key "styled"/);
    expect(await vitrine('policy', 'check', own, ...styled)).toMatchObject({ code: 0, err: '' });
    const args = ['policy', 'explain', '--policy', own, '--tenant', 'acme', '--user', 'anna', ...styled];
    expect((await vitrine(...args)).out).toContain('styled.wide: true\n  > tenant acme  true  (styled.yaml:4:23)\n');
    expect((await vitrine('policy', 'schema', ...styled)).out).toContain('"description": "Wide notes"');
    const wrong = plugin('wrong', { id: 'wrong', version: '1.0.0', settings });
    expect((await vitrine('policy', 'check', own, '--plugins', wrong)).err).toContain(
      'manifest: settings.styled: the section of its settings must be named wrong',
    );
  });

  it('explains records of all levels, each with its place', async () => {
    const own = file(
      'rules.yaml',
      [
        'tenants:',
        '  acme:',
        '    policy: { transfers: { rules: [{ action: block, types: [executables] }] } }',
        "    sites: [{ match: '*.example', policy: { transfers: { rules: [{ action: quarantine }] } } }]",
      ].join('\n'),
    );
    const args = [
      'policy',
      'explain',
      '--policy',
      own,
      '--tenant',
      'acme',
      '--user',
      'x',
      '--url',
      'https://a.example/',
    ];
    expect((await vitrine(...args)).out).toContain(
      [
        'transfers.rules: all that match hold, and the strictest one decides',
        '    tenant acme: rules[0]  {"action":"block","types":["executables"]}  (rules.yaml:3:36)',
        '    tenant acme, sites[0]: rules[0]  {"action":"quarantine"}  (rules.yaml:4:66)',
        '',
      ].join('\n'),
    );
  });

  it('explains the settings of a person on a page, with all rules and the deciding one', async () => {
    const { code, out } = await vitrine(
      ...['policy', 'explain', '--policy', policy, '--tenant', 'acme', '--user', 'anna'],
      ...['--url', 'https://docs.example/a', ...plugins],
    );
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'anna of tenant acme, groups staff, on https://docs.example/a',
      'docs.example may be reached.',
    ]);
    const at = lines.indexOf('copy_paste.disable_copy: true');
    expect(lines.slice(at + 1, at + 3)).toEqual([
      '    tenant acme  false  (p.yaml:4:35)',
      '  > group staff  true  (p.yaml:9:47)',
    ]);
    expect(out).toMatch(/ > group staff on docs\.example {2}false {2}\(p\.yaml:11:\d+\)/);
    expect(lines).toContain('  > user anna  3  (p.yaml:13:58)');
    expect(lines).toContain(
      '  gone: false: tenant acme says false (p.yaml:5:29); no plugin here has the capability gone',
    );
    expect(out).toMatch(/ {2}notes: (true|next): flag notes says (on|next) \(TARGETING_MATCH\)/);
    expect(out).toMatch(/ {2}notes: (1\.0\.0, variant default|2\.0\.0, variant next)/);
    expect(out).not.toContain('renderer:');
  });

  it('names the setting that turns on a capability, and warns where another is used instead', async () => {
    const hud = file('hud.yaml', 'tenants:\n  default:\n    policy: { capabilities: { debug_hud: true } }\n');
    const [check, explain] = await Promise.all([
      vitrine('policy', 'check', hud),
      vitrine('policy', 'explain', '--policy', hud, '--user', 'x'),
    ]);
    expect(check.out).toContain(
      'hud.yaml:3:42: warning: this has no effect: debug_hud is turned on by client_capabilities.debug_hud',
    );
    expect(explain.out.split('\n')).toContain(
      '  debug_hud: false: client_capabilities.debug_hud is false by default; tenant default says true (hud.yaml:3:42)',
    );
  });

  it('warns of a flag that no plugin uses, but not of one that an external plugin uses', async () => {
    const flag = "{ state: ENABLED, variants: { 'on': true }, defaultVariant: 'on' }";
    const flags = file('flags.yaml', `tenants: { default: {} }\nflags:\n  hud: ${flag}\n  notes: ${flag}\n`);
    const [check, rollout, explain] = await Promise.all([
      vitrine('policy', 'check', flags, ...plugins),
      vitrine('rollout', 'show', '--policy', flags, ...plugins),
      vitrine('policy', 'explain', '--policy', flags, '--user', 'x', ...plugins),
    ]);
    const idle = 'no plugin here has the capability hud';
    expect(check.code).toBe(0);
    expect(check.out.split('\n')[0]).toBe(`flags.yaml:3:8: warning: ${idle}`);
    expect(rollout.out.split('\n')).toContain(`hud, by a flag: ${idle}`);
    expect(rollout.out.split('\n')).toContain('notes, by a flag');
    expect(explain.out.split('\n')).toContain(`  hud: true: flag hud says on (STATIC); ${idle}`);
    for (const { out } of [check, rollout, explain]) expect(out).not.toContain('the capability notes');
  });

  it('explains refusals and defaults', async () => {
    const explain = (...args: string[]): Promise<Ended> => vitrine('policy', 'explain', '--policy', policy, ...args);
    const [other, refused] = await Promise.all([
      explain('--user', 'x'),
      explain('--user', 'x', '--tenant', 'acme', '--url', 'https://a.bad.example/', '--all'),
    ]);
    expect(other.out).toContain('The policy does not know the tenant default: its people are refused.');
    expect(other.out).not.toContain('Plugins');
    expect(refused.out).toContain('a.bad.example is refused: Not from here');
    expect(refused.out).toContain('renderer: mirror (by default)');
  });

  it('shows who gets which version and variant, in which share', async () => {
    const { code, out } = await vitrine('rollout', 'show', '--policy', policy, ...plugins);
    expect(code).toBe(0);
    const lines = out.split('\n');
    const at = lines.indexOf('notes, by a flag');
    expect(lines.slice(at + 1, at + 5)).toEqual([
      '  tenant acme, chrome: notes 1.0.0 default',
      '  tenant acme, edge: notes 1.0.0 default',
      '  tenant acme, firefox: off',
      '  tenant acme, safari: notes 1.0.0 default',
    ]);
    const [, on, next] = /group staff: notes 1\.0\.0 default (\d+) %, notes 2\.0\.0 next (\d+) %/.exec(out) ?? [];
    expect(Number(on)).toBeGreaterThan(60);
    expect(Number(next)).toBeGreaterThan(20);
    expect(lines.at(-2)).toBe(
      'Shares are of 1000 generated people of each kind, accurate to about 3 percentage points.',
    );
  });

  it('prints its usage on invalid arguments', async () => {
    const wrong: readonly (readonly [string[], string])[] = [
      [['polish'], 'Unknown command: polish'],
      [['policy', 'check'], 'no policy file'],
      [['policy', 'check', 'a', 'b'], 'unexpected argument "b"'],
      [['policy', 'explain'], 'use --user'],
      [['policy', 'explain', '--user', 'x'], 'use --policy FILE or VITRINE_POLICY'],
      [['policy', 'explain', '--user', 'x', '--url', 'nowhere'], '"nowhere" is not an address'],
      [['policy', 'explain', '--user', 'x', '--url', 'javascript:x'], '"javascript:x" is not an address'],
      [['rollout', 'show', '--colour'], "Unknown option '--colour'"],
      [['create-plugin', path.join(folder, 'mirror')], 'mirror is a built-in plugin'],
      [['create-plugin', path.join(folder, 'My Plugin')], 'My Plugin is not a plugin name'],
    ];
    const ended = await Promise.all(wrong.map(([args]) => vitrine(...args)));
    for (const [index, [args, words]] of wrong.entries()) {
      const { code, err } = ended[index]!;
      expect(code, args.join(' ')).toBe(2);
      expect(err).toContain(words);
      expect(err).toContain('Usage:');
    }
  });

  it('lists its commands, and explains each', async () => {
    const [all, one] = await Promise.all([vitrine(), vitrine('policy', 'check', '--help')]);
    for (const name of ['start', 'build', 'policy check', 'policy explain', 'policy schema', 'rollout show'])
      expect(all.out).toContain(`vitrine ${name}`);
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining('Usage: vitrine policy check FILE') });
  });

  it('has the verbs of plugins, which read their event files', async () => {
    const line = (at: string, site: string, decision: string): string =>
      JSON.stringify({ at, person: 'anna', tenant: 'acme', event: { site, permission: 'geolocation', decision } });
    file('data/events/permissions.decisions.jsonl.1', `${line('2026-01-01T00:00:00Z', 'https://a.test', 'granted')}\n`);
    file(
      'data/events/permissions.decisions.jsonl',
      `${line('2026-01-02T00:00:00Z', 'https://b.test\u001b[2J', 'denied')}\nnull\n{"at":"cut o`,
    );
    const all = await vitrine('permissions', 'decisions', '--data', 'data');
    expect(all).toEqual({
      code: 0,
      err: '',
      out:
        '2026-01-01T00:00:00Z\tanna\thttps://a.test\tgeolocation\tgranted\n' +
        '2026-01-02T00:00:00Z\tanna\thttps://b.test?[2J\tgeolocation\tdenied\n',
    });
    const some = await vitrine('permissions', 'decisions', '--site', 'a.test', '--data=data');
    expect(some.out).toBe('2026-01-01T00:00:00Z\tanna\thttps://a.test\tgeolocation\tgranted\n');
    mkdirSync(path.join(folder, 'fresh'));
    expect(await vitrine('permissions', 'decisions', '--data', 'fresh')).toEqual({ code: 0, out: '', err: '' });
    const missing = await vitrine('permissions', 'decisions', '--data', 'nothing-here');
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('nothing-here: there is no such data folder');
    file('odd/events/permissions.decisions.jsonl/folder', '');
    const odd = await vitrine('permissions', 'decisions', '--data', 'odd');
    expect(odd).toMatchObject({ code: 1, out: '' });
    expect(odd.err).toContain('cannot be read');
    expect(await vitrine('permissions', 'decisions', '--nonsense')).toMatchObject({ code: 2 });
    expect((await vitrine('--help')).out).toContain('vitrine permissions decisions [--site TEXT] [--data DIR]');
  });
});
