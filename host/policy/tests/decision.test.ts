import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideFor, mayExit } from '../decision.ts';
import type { Policy } from '../policy.ts';
import { sliceOf } from '../slice.ts';
import { saidOf } from '../tightening.ts';
import { decide, OWN, parsed } from './own-settings.ts';
import { ANNA, blocks, tenantFile } from './policy-samples.ts';

const PAGE = 'https://docs.example/page';
const runs = process.env['VITRINE_LONG'] === undefined ? 100 : 1500;

/** A policy without the check for loosening: these tests loosen on purpose. */
function unchecked(content: object): Policy {
  return { file: 'p.yaml', content: content as Policy['content'] };
}

describe('a decision', () => {
  it('without a file consists of defaults', () => {
    const { known, settings } = decide(undefined, ANNA, PAGE);
    expect(known).toBe(true);
    for (const { path, setting } of OWN.leaves)
      expect(saidOf(settings, path), path.join('.')).toEqual(setting.fallback);
  });

  it('refuses people of a tenant that the file does not name', () => {
    const policy = parsed(tenantFile({}), 'p.yaml');
    expect(decide(policy, ANNA).known).toBe(true);
    for (const tenant of ['other', '', 'constructor', 'toString', '__proto__'])
      expect(decide(policy, { ...ANNA, tenant }).known, tenant).toBe(false);
  });

  it('[S-094] uses only the flags of the person: two people of one tenant differ as their entries do', () => {
    const policy = parsed(
      tenantFile(
        { feedback: { enable_feedback: true, enable_bypass: true } },
        {
          users: {
            ben: {
              policy: {
                feedback: { enable_feedback: false, enable_bypass: false, enable_logo: false, indicate_readonly: true },
                persistent_policy: {
                  entry_action: 'read_only',
                  user_experience_banner: 'coach',
                  upgrade_action: 'confirm',
                  exit_url: 'https://intra.example/exit',
                },
              },
            },
          },
        },
      ),
      'p.yaml',
    );
    const anna = decide(policy, ANNA, PAGE).settings;
    expect(anna.feedback).toMatchObject({
      enable_feedback: true,
      enable_bypass: true,
      enable_logo: true,
      indicate_readonly: false,
    });
    expect(anna.persistent_policy).toMatchObject({
      entry_action: 'read_write',
      new_tabs: true,
      user_experience_banner: 'none',
      upgrade_action: 'direct',
      exit_url: undefined,
    });
    const ben = decide(policy, { ...ANNA, subject: 'ben' }, PAGE).settings;
    expect(ben.feedback).toMatchObject({
      enable_feedback: false,
      enable_bypass: false,
      enable_logo: false,
      indicate_readonly: true,
    });
    expect(ben.persistent_policy).toMatchObject({
      entry_action: 'read_only',
      new_tabs: false,
      user_experience_banner: 'coach',
      upgrade_action: 'confirm',
      exit_url: 'https://intra.example/exit',
    });
  });

  it('applies groups of the identity and of the file, in any order', () => {
    const policy = parsed(
      tenantFile(
        {},
        {
          groups: {
            a: { policy: { banner: { text: 'A' }, limits: { tabs: 5 } } },
            b: { policy: { banner: { text: 'B' }, limits: { tabs: 2 } } },
          },
          users: { anna: { groups: ['a'] } },
        },
      ),
      'p.yaml',
    );
    expect(decide(policy, ANNA).settings).toMatchObject({ banner: { text: 'A' }, limits: { tabs: 5 } });
    for (const groups of [['b'], ['b', 'a'], ['a', 'b', 'unheard']]) {
      const { settings } = decide(policy, { ...ANNA, groups });
      expect(settings).toMatchObject({ banner: { text: 'B' }, limits: { tabs: 2 } });
    }
  });

  it('applies the rules of all sites that something has to do with: what protects has its strictest value', () => {
    const source = [
      'tenants:',
      '  default:',
      '    sites:',
      '      - { match: one.example, policy: { transfers: { uploads: false, max_files: 7 } } }',
      '      - { match: two.example, policy: { transfers: { downloads: false, max_files: 3 } } }',
      '      - { match: three.example, policy: { transfers: { max_files: 5 } } }',
    ].join('\n');
    const policy = parsed(source, 'p.yaml');
    const transfers = (...addresses: string[]) => saidOf(decide(policy, ANNA, addresses).settings, ['transfers']);
    const [one, two, three] = ['https://one.example/', 'https://two.example/a', 'https://three.example/b'] as const;
    expect(transfers(one, two)).toMatchObject({ uploads: false, downloads: false, max_files: 3 });
    expect(transfers(three, one)).toMatchObject({ uploads: false, downloads: true, max_files: 5 });
    expect(transfers(three, 'nonsense', 'data:,x')).toMatchObject({ uploads: true, max_files: 5 });
    expect(transfers(three, 'blob:https://one.example/id')).toMatchObject({ uploads: false, max_files: 5 });
    expect(transfers()).toEqual(saidOf(decide(policy, ANNA).settings, ['transfers']));
  });

  it('applies site rules to matching sites, and names the deciding rule', () => {
    const source = [
      'tenants:',
      '  default:',
      '    policy:',
      '      transfers: { uploads: true }',
      '    sites:',
      "      - match: ['*.bank.example', 'https://wiki.example/private/*']",
      '        policy: { transfers: { uploads: false } }',
    ].join('\n');
    const policy = parsed(source, 'p.yaml');
    const uploads = (url: string) =>
      decide(policy, ANNA, url)
        .trace()
        .find(({ setting }) => setting === 'transfers.uploads');
    for (const url of [
      'https://bank.example/',
      'http://a.b.bank.example:8080/x?y',
      'https://wiki.example/private/',
      'https://wiki.example/private/x',
      'https://wiki.example/%70rivate/x',
      'https://bank.example./',
    ])
      expect(uploads(url)?.value, url).toBe(false);
    for (const url of [
      'https://notbank.example/',
      'https://bank.example.evil.example/',
      'http://wiki.example/private/x',
      'https://wiki.example/public',
      'https://wiki.example/privately',
      'about:blank',
      'nonsense',
    ])
      expect(uploads(url)?.value, url).toBe(true);
    const made = uploads('https://bank.example/');
    expect(made?.decidedBy?.level).toBe('tenant default on *.bank.example, https://wiki.example/private/*');
    expect(policy.place(made?.decidedBy?.path ?? [])).toEqual({ line: 7, column: 41 });
    expect(made?.rules.map(({ path }) => policy.place(path).line)).toEqual([4, 7]);
    expect(uploads('https://other.example/')?.decidedBy?.level).toBe('tenant default');
  });

  it('never gets looser by another level', () => {
    const protecting = OWN.leaves.filter(({ setting }) => setting.protects);
    fc.assert(
      fc.property(blocks(), blocks(), blocks(), blocks(OWN.site), (tenant, group, user, site) => {
        const levels = {
          policy: lifted(tenant),
          groups: { g: { policy: lifted(group) } },
          users: { anna: { policy: lifted(user) } },
          sites: [{ match: '*', policy: site }],
        };
        const inner = decide(unchecked({ tenants: { default: levels } }), { ...ANNA, groups: ['g'] }, PAGE).settings;
        const voices = [levels.policy, levels.groups.g.policy, levels.users.anna.policy, site];
        for (const { path, setting } of protecting) {
          const effective = saidOf(inner, path);
          for (const voice of voices) {
            const said = saidOf(voice, path);
            if (said === undefined) continue;
            // The result is at least as tight as each level alone: joining it once more changes nothing.
            expect(sorted(setting.join(said, effective)), path.join('.')).toEqual(sorted(effective));
          }
        }
      }),
      { numRuns: runs },
    );
  });

  it('uses the most specific level for settings that do not protect', () => {
    const policy = parsed(
      tenantFile(
        { banner: { text: 'tenant', banner_theme: 'red' } },
        {
          groups: { g: { policy: { banner: { text: 'group' } } } },
          users: { anna: { policy: { banner: { text: 'user' } } } },
          sites: [{ match: 'docs.example', policy: { banner: { text: 'site' } } }],
        },
      ),
      'p.yaml',
    );
    const text = (subject: object, url?: string) => decide(policy, { ...ANNA, ...subject }, url).settings.banner.text;
    expect(text({ subject: 'ben' })).toBe('tenant');
    expect(text({ subject: 'ben', groups: ['g'] })).toBe('group');
    expect(text({ groups: ['g'] })).toBe('user');
    expect(text({}, PAGE)).toBe('site');
    expect(decide(policy, ANNA, PAGE).settings.banner.banner_theme).toBe('red');
  });
});

/** Parsed value of an egress list. */
function lifted(block: Record<string, unknown>): Record<string, unknown> {
  const egress = block['egress'] as { allow?: unknown } | undefined;
  return egress?.allow === undefined ? block : { ...block, egress: { ...egress, allow: [egress.allow] } };
}

function sorted(value: unknown): unknown {
  const text = (each: unknown): string =>
    JSON.stringify(each, (key, part: unknown) => (key === 'origin' ? undefined : part));
  if (Array.isArray(value)) return [...new Set(value.map(text))].sort();
  return value;
}

describe('an exit from read-only', () => {
  const until = 1000;
  const entryOf = (
    persistent_policy: object,
    address: string | readonly string[] | undefined,
    { now = 0, subject = ANNA }: { readonly now?: number; readonly subject?: typeof ANNA } = {},
  ): unknown => {
    const exits = ['docs.example', 'b.example:8443'].map((host) => ({ host, until }));
    const policy = parsed(tenantFile({ persistent_policy }), 'p.yaml');
    const data = sliceOf(policy, subject, { revision: 1, exits });
    return decideFor(data, OWN, address, now).settings.persistent_policy.entry_action;
  };
  const readOnly = { entry_action: 'read_only', upgrade_action: 'direct' };

  it('holds on its site, until it ends', () => {
    expect(entryOf(readOnly, PAGE)).toBe('read_write');
    expect(entryOf(readOnly, PAGE, { now: until })).toBe('read_write');
    expect(entryOf(readOnly, PAGE, { now: until + 1 })).toBe('read_only');
    expect(entryOf(readOnly, 'https://b.example:8443/x')).toBe('read_write');
  });

  it('holds nowhere else, nor where only one of several sites was left', () => {
    for (const address of [undefined, '', 'https://b.example/', 'https://a.docs.example/', 'https://other.example/'])
      expect(entryOf(readOnly, address), address).toBe('read_only');
    expect(entryOf(readOnly, [PAGE, 'https://b.example:8443/'])).toBe('read_write');
    expect(entryOf(readOnly, [PAGE, 'https://other.example/'])).toBe('read_only');
  });

  it('needs a policy that lets people leave, and that knows them', () => {
    expect(entryOf({ ...readOnly, upgrade_action: 'none' }, PAGE)).toBe('read_only');
    const decision = (tenant: string) =>
      decideFor(sliceOf(parsed(tenantFile({ persistent_policy: readOnly }), 'p.yaml'), { ...ANNA, tenant }), OWN, PAGE);
    expect(mayExit(decision('default'))).toBe(true);
    expect(mayExit(decision('other'))).toBe(false);
  });

  it('changes the mode, and what follows from it, and nothing else of the decision', () => {
    const policy = parsed(
      tenantFile({ persistent_policy: { ...readOnly, user_experience_banner: 'coach' } }),
      'p.yaml',
    );
    const exits = [{ host: 'docs.example', until }];
    const before = decideFor(sliceOf(policy, ANNA), OWN, PAGE, 0);
    const after = decideFor(sliceOf(policy, ANNA, { revision: 1, exits }), OWN, PAGE, 0);
    expect(after.settings).toEqual({
      ...before.settings,
      persistent_policy: { ...before.settings.persistent_policy, entry_action: 'read_write', new_tabs: true },
    });
    expect([after.known, after.groups]).toEqual([before.known, before.groups]);
    expect(after.trace()).toEqual(before.trace());
  });
});

describe('the value of a setting in a block', () => {
  it('is that of the block alone', () => {
    expect(saidOf({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
    expect(saidOf({ a: { b: undefined } }, ['a'])).toEqual({ b: undefined });
    for (const block of [{}, { a: null }, { a: 'text' }, { a: 5 }])
      expect(saidOf(block as never, ['a', 'length'])).toBe(undefined);
    expect(saidOf({}, ['toString'])).toBe(undefined);
  });
});

describe('a slice', () => {
  it('has the levels that say something, and each group once', () => {
    const policy = parsed(
      tenantFile(undefined, {
        sites: [{ match: 'a.example', policy: { copy_paste: { disable_copy: true } } }],
        groups: { staff: { policy: { limits: { tabs: 3 } } }, silent: {}, other: { policy: { limits: { tabs: 2 } } } },
        users: { anna: { groups: ['staff', 'silent', 'staff'] } },
      }),
      'p.yaml',
    );
    const slice = sliceOf(policy, { ...ANNA, groups: ['late', 'staff'] });
    expect(slice.groups).toEqual(['late', 'staff', 'silent']);
    expect(slice.levels).toEqual([
      {
        name: 'tenant default',
        path: ['tenants', 'default'],
        sites: [{ index: 0, match: ['a.example'], policy: { copy_paste: { disable_copy: true } } }],
      },
      { name: 'group staff', path: ['tenants', 'default', 'groups', 'staff'], policy: { limits: { tabs: 3 } } },
    ]);
    expect([slice.revision, slice.exits]).toEqual([0, []]);
    // Patterns are compiled once for all slices.
    expect(sliceOf(policy, ANNA).levels[0]?.sites).toBe(slice.levels[0]?.sites);
  });

  it('of a person whose tenant is not in the file has none of its levels', () => {
    const policy = parsed(tenantFile({ limits: { tabs: 3 } }), 'p.yaml');
    expect(sliceOf(policy, { ...ANNA, tenant: 'other', groups: ['g'] })).toMatchObject({
      known: false,
      levels: [],
      groups: ['g'],
    });
    expect(sliceOf(undefined, ANNA)).toMatchObject({ known: true, levels: [], groups: [] });
  });
});
