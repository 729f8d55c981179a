import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validate } from '../../../core/protocol/message.ts';
import type { Subject } from '../decision.ts';
import { createPolicyEngine, grantsFor } from '../engine.ts';
import type { ReplaceablePolicyEngine } from '../engine.ts';
import { grantSchema } from '../person-grants.ts';
import { MAX_PERSON_EXITS, personPolicyData } from '../person-policy-data.ts';
import type { PersonPolicyData } from '../person-policy-data.ts';
import { personPolicy } from '../person-policy.ts';
import type { Policy } from '../policy.ts';
import { settingsTable } from '../settings-table.ts';
import { saidOf } from '../tightening.ts';
import { OWN, parsed } from './own-settings.ts';
import { ANNA, blocks, FULL, tenantFile } from './policy-samples.ts';

const runs = process.env['VITRINE_LONG'] === undefined ? 15 : 500;
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const PAGES = [undefined, 'https://docs.example/page', 'https://a.bank.example:8443/x', 'about:blank', 'nonsense'];
const PEOPLE: readonly Subject[] = [
  ANNA,
  { ...ANNA, groups: ['staff', 'unheard'] },
  { ...ANNA, subject: 'ben', groups: ['b', 'a'] },
  { ...ANNA, tenant: 'other' },
];

const engineOf = (policy?: Policy): Promise<ReplaceablePolicyEngine> =>
  createPolicyEngine({ ...(policy && { policy }), settings: OWN, capabilities: ['find_in_page', 'print'], log });

/** The table of another process, and its schema for slices. */
const table = settingsTable(structuredClone(OWN.declared));
const schema = personPolicyData(table);

/** A value as another process sends it. */
const sent = (data: PersonPolicyData): PersonPolicyData => validate(schema, JSON.parse(JSON.stringify(data)), 'policy');

/** Expects that a person's slice gives the same answers in another process as the engine. */
function expectSame(engine: ReplaceablePolicyEngine, policy: Policy | undefined, subject: Subject): void {
  const aside = personPolicy(sent(engine.slice(subject)), table);
  for (const page of PAGES) {
    const [here, there] = [engine.decide(subject, page), aside.decide(page)];
    expect({ ...there, trace: there.trace() }).toEqual({ ...here, trace: here.trace() });
    for (const { rules } of there.trace())
      for (const rule of rules) expect(placeIn(policy?.content, rule.path)).toEqual(rule.value);
    if (page === undefined) continue;
    expect(aside.siteCapabilities(page)).toEqual(engine.siteCapabilities(subject, page));
    expect(aside.customization(page)).toEqual(engine.customization(subject, page));
    expect(aside.answers(page)).toEqual(engine.answers(subject, page));
  }
  for (const host of ['a.example', 'bad.example', 'worse.example', 'site.test', '::1'])
    for (const port of [443, 8443])
      expect(aside.mayReach({ host, port })).toEqual(engine.mayReach(subject, { host, port }));
}

function placeIn(content: unknown, at: readonly (string | number)[]): unknown {
  return at.reduce((inner, step) => (inner as Record<string | number, unknown>)[step], content);
}

describe('the policy of one person', () => {
  it.each([
    ['no file', undefined],
    ['a file with every key', FULL],
    ['the complete file', readFileSync(path.resolve(import.meta.dirname, '../complete.policy.yaml'), 'utf8')],
  ])('decides as the engine does: %s', async (_name, source) => {
    const policy = source === undefined ? undefined : parsed(source, 'p.yaml');
    const engine = await engineOf(policy);
    for (const subject of PEOPLE) expectSame(engine, policy, subject);
  });

  it('decides as the engine does for any levels', async () => {
    const engine = await engineOf();
    const sites = fc.array(
      fc.record({
        match: fc.constantFrom('*', '*.example', ['a.bank.example', 'x.test']),
        policy: blocks(OWN.site),
      }),
      { maxLength: 3 },
    );
    const level = fc.record({ policy: blocks().map(lifted), sites }, { requiredKeys: [] });
    const tenant = fc.record({
      policy: blocks().map(lifted),
      sites,
      groups: fc.record({ b: level, a: level, staff: level }, { requiredKeys: [] }),
      users: fc.record({ anna: level, ben: level }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(tenant, (levels) => {
        const policy = { file: 'p.yaml', content: { tenants: { default: levels } } as unknown as Policy['content'] };
        engine.replace(policy);
        for (const subject of PEOPLE) expectSame(engine, policy, subject);
      }),
      { numRuns: runs },
    );
  });

  it('contains nothing of other people, groups and tenants', async () => {
    const level = (text: string) => ({
      policy: { banner: { text } },
      sites: [{ match: '*', policy: { banner: { text } } }],
    });
    const policy = parsed(
      JSON.stringify({
        tenants: {
          default: {
            ...level('tenant'),
            groups: { a: level('in a'), b: level('in b') },
            users: { anna: { ...level('of anna'), groups: ['a'] }, ben: level('of ben') },
          },
          other: level('elsewhere'),
        },
      }),
      'p.yaml',
    );
    const engine = await engineOf(policy);
    engine.exitReadOnly({ ...ANNA, subject: 'ben' }, 'https://ben.example/');
    const text = JSON.stringify(engine.slice(ANNA));
    for (const word of ['tenant', 'in a', 'of anna']) expect(text).toContain(word);
    for (const word of ['in b', 'of ben', 'ben.example', 'elsewhere']) expect(text).not.toContain(word);
  });

  it('uses a new revision immediately, and never an older one', async () => {
    const policy = (tabs: number): Policy => parsed(tenantFile({ limits: { tabs } }), 'p.yaml');
    const engine = await engineOf(policy(1));
    const first = engine.slice(ANNA);
    const aside = personPolicy(sent(first), table);
    let changes = 0;
    const undo = aside.onChange(() => (changes += 1));
    const tabs = (): unknown => aside.decide().settings.limits.tabs;
    const slices: PersonPolicyData[] = [];
    engine.onChange(() => slices.push(sent(engine.slice(ANNA))));
    engine.replace(policy(2));
    engine.replace(policy(3));
    const [second, third] = slices;
    if (!second || !third) throw new Error('no slices');
    expect([tabs(), changes]).toEqual([1, 0]);
    aside.replace(third);
    expect([tabs(), changes, aside.revision]).toEqual([3, 1, third.revision]);
    for (const late of [second, first, third]) aside.replace(late);
    expect([tabs(), changes]).toEqual([3, 1]);
    expect(() => aside.replace({ ...third, revision: 99, subject: 'ben' })).toThrowError(
      expect.objectContaining({ code: 'wrong-person' }),
    );
    undo();
    aside.replace({ ...second, revision: 99 });
    expect([tabs(), changes]).toEqual([2, 1]);
  });

  it('[S-094] has the person’s read-only exits, until they end; read-only pages open no tabs', async () => {
    const engine = await engineOf(parsed(tenantFile({ persistent_policy: { entry_action: 'read_only' } }), 'p.yaml'));
    const page = 'https://docs.example:8443/page';
    const ben = { ...ANNA, subject: 'ben' };
    expect(engine.exitReadOnly(ANNA, page)).toBe(true);
    let now = Date.now();
    const entry = (person: Subject, url = page): string =>
      personPolicy(sent(engine.slice(person)), table, () => now).decide(url).settings.persistent_policy.entry_action;
    expect(entry(ANNA)).toBe('read_write');
    expect(engine.decide(ANNA, page).settings.persistent_policy.entry_action).toBe('read_write');
    const mayOpen = (person: Subject): boolean =>
      personPolicy(sent(engine.slice(person)), table, () => now).decide(page).settings.persistent_policy.new_tabs;
    expect([ANNA, ben].map(mayOpen)).toEqual([true, false]);
    expect(entry({ ...ANNA, groups: ['late'] })).toBe('read_write');
    expect(entry(ANNA, 'https://docs.example/page')).toBe('read_only');
    expect(entry(ANNA, 'https://docs.example.:8443/page')).toBe('read_write');
    expect(engine.exitReadOnly(ANNA, 'https://docs.example..:8443/page')).toBe(false);
    expect(entry(ben)).toBe('read_only');
    now += 8 * 60 * 60_000 + 1000;
    expect(entry(ANNA)).toBe('read_only');
    for (let i = 0; i < MAX_PERSON_EXITS; i++) engine.exitReadOnly(ANNA, `https://site${i}.example/`);
    expect(engine.slice(ANNA).exits).toHaveLength(MAX_PERSON_EXITS);
    expect(engine.slice(ANNA).exits.at(-1)?.host).toBe(`site${MAX_PERSON_EXITS - 1}.example`);
  });

  it('is granted by the engine, flags included, as plain data', async () => {
    const engine = await engineOf(parsed(FULL, 'p.yaml'));
    const grant = await grantsFor(engine, ANNA).grant('https://a.example/', '');
    expect(grant.flags).toEqual([['find_in_page', expect.objectContaining({ value: expect.anything() as unknown })]]);
    expect(validate(grantSchema, JSON.parse(JSON.stringify(grant)), 'grant')).toEqual(grant);
  });

  it.each<[string, (data: PersonPolicyData) => unknown]>([
    [
      'a setting that there is none of',
      (data) => ({ ...data, levels: [{ name: 'x', path: [], policy: { no: true } }] }),
    ],
    [
      'a value of another kind',
      (data) => ({ ...data, levels: [{ name: 'x', path: [], policy: { limits: { tabs: '1' } } }] }),
    ],
    [
      'a person’s setting for a site',
      (data) => ({
        ...data,
        levels: [{ name: 'x', path: [], sites: [{ index: 0, match: ['*'], policy: { limits: { tabs: 1 } } }] }],
      }),
    ],
    [
      'a pattern that is none',
      (data) => ({ ...data, levels: [{ name: 'x', path: [], sites: [{ index: 0, match: ['A b'], policy: {} }] }] }),
    ],
    [
      'an egress list as the file has it',
      (data) => ({ ...data, levels: [{ name: 'x', path: [], policy: { egress: { allow: ['*.example'] } } }] }),
    ],
    [
      'too many exits',
      (data) => ({ ...data, exits: Array.from({ length: MAX_PERSON_EXITS + 1 }, () => ({ host: 'a', until: 1 })) }),
    ],
    ['more than there is', (data) => ({ ...data, more: 1 })],
    ['nothing', () => null],
  ])('refuses %s', async (_name, change) => {
    const data = (await engineOf()).slice(ANNA);
    expect(() => validate(schema, change(data), 'policy')).toThrowError(
      expect.objectContaining({ code: 'bad-message' }),
    );
  });

  it('imports neither files, YAML, flags nor rule checks', () => {
    const needed = importsOf(path.resolve(import.meta.dirname, '../person-policy.ts'));
    for (const file of ['person-policy-data.ts', 'person-grants.ts'])
      for (const name of importsOf(path.resolve(import.meta.dirname, '..', file))) needed.add(name);
    expect([...needed].filter((name) => !path.isAbsolute(name))).toEqual(['valibot']);
    const names = [...needed].map((name) => path.basename(name));
    for (const file of ['policy.ts', 'policy-text.ts', 'flags.ts', 'engine.ts']) expect(names).not.toContain(file);
  });
});

/** Parsed value of an egress list. */
function lifted(block: Record<string, unknown>): Record<string, unknown> {
  const allow = saidOf(block, ['egress', 'allow']);
  return allow === undefined ? block : { ...block, egress: { ...(block['egress'] as object), allow: [allow] } };
}

/** Modules that a module imports, by path, and packages by name. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gm))
    if (name.startsWith('.')) importsOf(path.resolve(path.dirname(file), name), found);
    else found.add(name);
  return found;
}
