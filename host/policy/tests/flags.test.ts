import { InMemoryProvider } from '@openfeature/server-sdk';
import { describe, expect, it } from 'vitest';
import { browserOf } from '../browser.ts';
import { createPolicyEngine } from '../engine.ts';
import type { ReplaceablePolicyEngine } from '../engine.ts';
import type { Policy } from '../policy.ts';
import { OWN, parsed } from './own-settings.ts';

const URL_ = 'https://site.example/';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const EDGE = `${CHROME} Edg/150.0.0.0`;
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

const flag = (targeting: unknown, more: object = {}): object => ({
  state: 'ENABLED',
  variants: { on: true, off: false, next: 'next' },
  defaultVariant: 'on',
  targeting,
  ...more,
});
const policyOf = (find: object, tenant: object = {}): Policy =>
  parsed(JSON.stringify({ tenants: { default: tenant, other: {} }, flags: { find } }), 'p.yaml');
const faults: string[] = [];
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (message: string) => void faults.push(message) };
const engineOf = (policy: Policy): Promise<ReplaceablePolicyEngine> =>
  createPolicyEngine({ policy, settings: OWN, capabilities: ['find'], log });
const somebody = (subject: string, more: object = {}) => ({ subject, tenant: 'default', groups: [], ...more });

async function had(
  engine: ReplaceablePolicyEngine,
  subject: ReturnType<typeof somebody>,
  agent = CHROME,
): Promise<unknown> {
  return (await engine.grant(subject, URL_, agent)).capabilities['find'];
}

async function crowd(engine: ReplaceablePolicyEngine): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let i = 0; i < 2000; i++) values.push(await had(engine, somebody(`person ${i}`)));
  return values;
}

describe('a flag of the policy file', () => {
  it('assigns variants by share, and the same one to a person each time', async () => {
    const share = (next: number) =>
      flag({
        fractional: [
          ['next', next],
          ['on', 100 - next],
        ],
      });
    const engine = await engineOf(policyOf(share(20)));
    const first = await crowd(engine);
    const count = (values: readonly unknown[]): number => values.filter((value) => value === 'next').length;
    expect(count(first)).toBeGreaterThan(300);
    expect(count(first)).toBeLessThan(500);
    const again = await engineOf(policyOf(share(20)));
    expect(await crowd(again)).toEqual(first);

    again.replace(policyOf(share(50))); // users who have it keep it
    const more = await crowd(again);
    expect(count(more)).toBeGreaterThan(900);
    expect(first.filter((value, i) => value === 'next' && more[i] !== 'next')).toEqual([]);
  });

  it('targets tenants, groups, users and browsers', async () => {
    const rule = {
      if: [
        { '===': [{ var: 'tenant' }, 'other'] },
        'off',
        { in: ['staff', { var: 'groups' }] },
        'next',
        { '===': [{ var: 'user' }, 'anna'] },
        'next',
        { and: [{ '===': [{ var: 'browser.name' }, 'firefox'] }, { '<': [{ var: 'browser.version' }, 141] }] },
        'off',
        { var: 'browser.mobile' },
        'off',
        'on',
      ],
    };
    const engine = await engineOf(
      policyOf(flag(rule), { groups: { staff: {} }, users: { ben: { groups: ['staff'] } } }),
    );
    expect(await had(engine, somebody('x', { tenant: 'other' }))).toBe(false);
    expect(await had(engine, somebody('x', { groups: ['staff'] }))).toBe('next');
    expect(await had(engine, somebody('ben'))).toBe('next');
    expect(await had(engine, somebody('anna'))).toBe('next');
    expect(await had(engine, somebody('x'), FIREFOX)).toBe(false);
    expect(await had(engine, somebody('x'), FIREFOX.replaceAll('140', '141'))).toBe(true);
    expect(await had(engine, somebody('x'), IPHONE)).toBe(false);
    expect(await had(engine, somebody('x'))).toBe(true);
  });

  it('cannot turn on a capability that the policy turns off', async () => {
    const engine = await engineOf(policyOf(flag('next'), { policy: { capabilities: { find: false } } }));
    expect(await had(engine, somebody('x'))).toBe(false);
    engine.replace(policyOf(flag('off'), { policy: { capabilities: { find: true } } }));
    expect(await had(engine, somebody('x'))).toBe(false);
  });

  it('that is disabled is ignored; one that cannot be evaluated is off, and reported', async () => {
    const engine = await engineOf(policyOf(flag('off', { state: 'DISABLED' })));
    expect(await had(engine, somebody('x'))).toBe(true);
    faults.length = 0;
    engine.replace(policyOf(flag({ if: [{ '===': [{ var: 'user' }, 'x'] }, { cat: ['no', 'ne'] }, 'on'] })));
    expect(await had(engine, somebody('y'))).toBe(true);
    expect(await had(engine, somebody('x'))).toBe(false);
    expect(faults).toEqual(['flag evaluation failed: its capability is off']);
  });
});

describe('flags of another provider', () => {
  it('may come from any OpenFeature provider, and change with it', async () => {
    const configuration = (value: boolean | string) => ({
      find: { variants: { it: value }, defaultVariant: 'it', disabled: false },
    });
    const provider = new InMemoryProvider(configuration('next'));
    const engine = await createPolicyEngine({ settings: OWN, capabilities: ['find', 'print'], provider, log });
    expect((await engine.grant(somebody('x'), URL_, CHROME)).capabilities).toMatchObject({ find: 'next', print: true });
    let changes = 0;
    engine.onChange(() => (changes += 1));
    provider.putConfiguration(configuration(false));
    expect(changes).toBe(1);
    expect(await had(engine, somebody('x'))).toBe(false);
  });

  it('that never become ready are a clear error', async () => {
    const provider = new InMemoryProvider({});
    Object.assign(provider, { initialize: () => Promise.reject(new Error('nobody there')) });
    await expect(createPolicyEngine({ settings: OWN, capabilities: [], provider, log })).rejects.toMatchObject({
      code: 'no-flags',
    });
  });
});

describe('a user agent', () => {
  it.each([
    [CHROME, { name: 'chrome', version: 150, mobile: false }],
    [FIREFOX, { name: 'firefox', version: 140, mobile: false }],
    [EDGE, { name: 'edge', version: 150, mobile: false }],
    [SAFARI, { name: 'safari', version: 18, mobile: false }],
    [IPHONE, { name: 'safari', version: 18, mobile: true }],
    ['', { name: 'other', version: 0, mobile: false }],
  ])('%s names its browser', (agent, browser) => {
    expect(browserOf(agent)).toEqual(browser);
  });
});
