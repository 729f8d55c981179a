import { describe, expect, it } from 'vitest';
import { growthBetween } from '../../../core/testing/growth.ts';
import type { PluginSettings } from '../../../core/contracts/setting.ts';
import { checkDeclared } from '../declared-settings.ts';
import { decide, OWN, parsed } from './own-settings.ts';
import { ANNA, faultsOf, tenantFile } from './policy-samples.ts';

const block = (rules: unknown): object => ({ transfers: { rules } });
const rule = { action: 'block', types: ['executables'] };

interface Placed {
  readonly action: string;
  readonly origin: string;
}

function rulesOf(levels: string, groups: string[], url?: string): string[] {
  const { settings } = decide(parsed(levels), { ...ANNA, groups }, url);
  const { transfers } = settings as unknown as { readonly transfers: { readonly rules: readonly Placed[] } };
  return transfers.rules.map(({ action, origin }) => `${action} by ${origin}`);
}

describe('a setting of records', () => {
  it('has the records of all levels, each with its place, so that no level takes one away', () => {
    const levels = tenantFile(block([rule, { action: 'allow' }]), {
      groups: { staff: { policy: block([{ action: 'quarantine' }]) }, empty: { policy: block([]) } },
      users: { anna: { policy: block([{ action: 'allow', types: ['executables'] }]) } },
      sites: [
        { match: 'other.example', policy: block([rule]) },
        { match: '*.example', policy: block([rule]) },
      ],
    });
    const own = ['block by tenant default: rules[0]', 'allow by tenant default: rules[1]'];
    const anna = 'allow by user anna: rules[0]';
    expect(rulesOf(levels, [])).toEqual([...own, anna]);
    expect(rulesOf(levels, ['staff', 'empty'])).toEqual([...own, 'quarantine by group staff: rules[0]', anna]);
    expect(rulesOf(levels, [], 'https://a.example/')).toEqual([
      ...own,
      anna,
      'block by tenant default, sites[1]: rules[0]',
    ]);
    expect(rulesOf('tenants: { default: {} }', [])).toEqual([]);
  });

  it.each<[what: string, rules: unknown, fault: RegExp]>([
    ['no list', rule, /rules: expected Array/],
    ['a list in place of a rule', [[rule]], /rules\[0\]: expected names with values, not a list/],
    ['no action', [{ types: ['.exe'] }], /^1:\d+: transfers\.rules\[0\]: "action" is missing$/],
    ['an unknown action', [rule, { action: 'Block' }], /^1:\d+: transfers\.rules\[1\]\.action: expected \("allow"/],
    [
      'an unknown key',
      [{ ...rule, type: 'x' }],
      /transfers\.rules\[0\]: unknown key "type": expected one of action, on, types/,
    ],
    ['a key that is reserved', [{ ...rule, origin: 'x' }], /unknown key "origin"/],
    ['an unknown group', [{ ...rule, types: ['programs'] }], /transfers\.rules\[0\]\.types\[0\]: write a MIME type/],
    ['an extension without a dot', [{ ...rule, not_types: ['exe'] }], /not_types\[0\]: write a MIME type/],
    ['a regular expression', [{ ...rule, types: ['image/(a+)+$'] }], /types\[0\]: write a MIME type/],
    ['a long type', [{ ...rule, types: [`image/${'*a'.repeat(90)}`] }], /types\[0\]: /],
    ['no types', [{ ...rule, types: [] }], /types: write at least one entry/],
    ['many types', [{ ...rule, types: Array(101).fill('.exe') }], /types: write at most 100 entries/],
    ['a negative size', [{ ...rule, over_megabytes: -1 }], /transfers\.rules\[0\]\.over_megabytes: /],
    ['an absurd size', [{ ...rule, over_megabytes: 1e300 }], /over_megabytes: /],
    ['a size that is a text', [{ ...rule, over_megabytes: '5 MB' }], /over_megabytes: expected number/],
    ['a site with a wrong pattern', [{ ...rule, sites: ['*.a.*'] }], /sites\[0\]: write host/],
    ['markup in the message', [{ ...rule, message: '<b>no</b>' }], /message: write it without/],
    ['ten thousand rules', Array(10_000).fill(rule), /^1:\d+: rules: write at most 500 entries$/],
  ])('refuses %s, with its path', (_what, rules, fault) => {
    expect(faultsOf(tenantFile(block(rules)))).toEqual([expect.stringMatching(fault)]);
  });

  it('refuses numbers that JSON does not have', () => {
    for (const size of ['.inf', '.nan', '0x7fffffffff'])
      expect(
        faultsOf(
          `tenants: { default: { policy: { transfers: { rules: [{ action: block, over_megabytes: ${size} }] } } } }`,
        ),
      ).toEqual([expect.stringContaining('over_megabytes')]);
  });

  it('refuses more records than a decision should join, with the level that is one too many', () => {
    const rules = Array(500).fill(rule);
    const groups = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`g${at}`, { policy: block(rules) }]));
    expect(faultsOf(tenantFile({}, { groups: groups(10) }))).toEqual([]);
    expect(faultsOf(tenantFile(block([rule]), { groups: groups(12) }))).toEqual([
      expect.stringMatching(/transfers\.rules: the levels of this tenant have more than 5000 entries together$/),
    ]);
    // The first one past the limit, once; each tenant has its own.
    const users = { a: { policy: block([rule]) }, b: { policy: block([rule]) } };
    expect(faultsOf(tenantFile({}, { groups: groups(10), users }))).toHaveLength(1);
    const tenants = { one: { groups: groups(6) }, two: { groups: groups(6) } };
    expect(faultsOf(JSON.stringify({ tenants }))).toEqual([]);
  });

  it('takes time in proportion to the number of records', () => {
    const input = (count: number): (() => void) => {
      const rules = Array(count / 4).fill({ ...rule, sites: ['*.example'] });
      const groups = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { policy: block(rules) }]));
      const policy = parsed(tenantFile(block(rules), { groups }));
      return () => void decide(policy, { ...ANNA, groups: ['a', 'b', 'c'] });
    };
    const run = (work: () => void): void => {
      for (let again = 0; again < 20; again++) work();
    };
    // 16 where it is quadratic, at any size; collections of garbage differ from one size to another.
    const ratios: number[] = [];
    for (const units of [240, 360, 500]) {
      ratios.push(growthBetween({ input, run }, 10, [units, 4 * units]));
      if (ratios.some((ratio) => ratio < 10)) break;
    }
    expect(Math.min(...ratios)).toBeLessThan(10);
  });
});

describe('records that a third party declares', () => {
  const declared = (fields: unknown, more: object = {}): PluginSettings =>
    ({ notes: { list: { kind: 'records', max: 5, about: 'x', fields, ...more } } }) as unknown as PluginSettings;
  const text = { kind: 'text', about: 'x' };

  it('are accepted, and refused with the field that is wrong', () => {
    expect(() => checkDeclared({ id: 'notes', settings: declared({ text }) })).not.toThrow();
    for (const [settings, reason] of [
      [declared({}), /notes\.list/],
      [declared({ origin: text }), /this name is taken/],
      [declared({ a: { ...text, kind: 'words', pattern: '(', write: 'x' } }), /no regular expression/],
      [declared({ a: { kind: 'date', about: 'x' } }), /notes\.list\.fields\.a/],
      [declared({ text }, { max: 1_000_000 }), /notes\.list\.max/],
    ] as const)
      expect(() => checkDeclared({ id: 'notes', settings })).toThrowError(
        expect.objectContaining({ code: 'bad-manifest', message: expect.stringMatching(reason) as string }),
      );
  });
});

it('the rules of files are a setting that tightens', () => {
  expect(OWN.leaves.find(({ path }) => path.join('.') === 'transfers.rules')?.setting).toMatchObject({
    protects: true,
    isOfRecords: true,
  });
});
