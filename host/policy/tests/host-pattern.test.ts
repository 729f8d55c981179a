import { describe, expect, it } from 'vitest';
import { createPolicyEngine } from '../engine.ts';
import { compilePattern } from '../host-pattern.ts';
import { OWN, parsed } from './own-settings.ts';
import { ANNA, tenantFile } from './policy-samples.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('a pattern of sites', () => {
  it.each<[pattern: string, fits: string[], not: string[]]>([
    [
      'site.example',
      ['https://site.example/', 'http://SITE.example.:8080/x'],
      ['https://a.site.example/', 'https://xsite.example/'],
    ],
    [
      '*.site.example',
      ['https://site.example/', 'https://a.b.site.example/'],
      ['https://xsite.example/', 'https://site.example.evil/'],
    ],
    ['site.example:8443', ['https://site.example:8443/'], ['https://site.example/']],
    ['site.example:443', ['https://site.example/', 'wss://site.example/'], ['http://site.example/']],
    [
      'https://site.example/private/*',
      ['https://site.example/private/a', 'https://site.example/%70rivate/a'],
      ['http://site.example/private/a', 'https://site.example/privat'],
    ],
    [
      'http://site.example/*',
      ['ws://site.example/', 'http://site.example/a'],
      ['wss://site.example/', 'https://site.example/'],
    ],
    ['site.example/a%2fb', ['https://site.example/a%2Fb', 'https://site.example/a%2fb'], ['https://site.example/a/b']],
    ['site.example/exact', ['https://site.example/exact?q#h'], ['https://site.example/exact/more']],
    ['[::1]', ['http://[::1]/'], ['http://[::2]/']],
    ['*', ['https://anything.example/'], []],
  ])('%s', (pattern, fits, not) => {
    const matches = compilePattern(pattern);
    for (const url of fits) expect(matches(new URL(url)), url).toBe(true);
    for (const url of not) expect(matches(new URL(url)), url).toBe(false);
  });
});

describe('permitted hosts', () => {
  const reach = async (file: string, host: string, port = 443, person = ANNA): Promise<unknown> => {
    const engine = await createPolicyEngine({ settings: OWN, policy: parsed(file, 'p'), capabilities: [], log });
    return engine.mayReach(person, { host, port });
  };
  const refused = { allow: false, message: 'Not from here' };
  const policy = (egress: object, more: object = {}): string =>
    tenantFile({ egress: { message: 'Not from here', ...egress } }, more as Record<string, unknown>);

  it('are all except blocked ones', async () => {
    expect(await reach(policy({ block: ['*.bad.example'] }), 'good.example')).toEqual({ allow: true });
    expect(await reach(policy({ block: ['*.bad.example'] }), 'a.bad.example')).toEqual(refused);
    expect(await reach(policy({ block: ['[::1]'] }), '::1')).toEqual(refused);
  });

  it('are none whose name has empty labels, with or without rules', async () => {
    for (const egress of [{ block: ['evil.example'] }, { allow: ['*'] }, {}])
      for (const host of ['evil.example..', 'evil.example...', 'evil..example', '.evil.example'])
        expect(await reach(policy(egress), host), host).toEqual(refused);
    expect(await reach(policy({ block: ['evil.example'] }), 'evil.example.')).toEqual(refused);
  });

  it('are those that every level with an allowlist allows', async () => {
    const file = policy(
      { allow: ['*.a.example', 'b.example'] },
      { users: { anna: { policy: { egress: { allow: ['b.example', '*.x.a.example:8443'] } } } } },
    );
    expect(await reach(file, 'b.example')).toEqual({ allow: true });
    expect(await reach(file, 'x.a.example', 8443)).toEqual({ allow: true });
    for (const host of ['x.a.example', 'a.example', 'd.example'])
      expect(await reach(file, host), host).toEqual(refused);
    expect(await reach(file, 'x.a.example', 443, { ...ANNA, subject: 'ben' })).toEqual({ allow: true });
  });

  it('change with the policy immediately', async () => {
    const policyOf = (block: string[]) => parsed(tenantFile({ egress: { block } }), 'p');
    const engine = await createPolicyEngine({ settings: OWN, policy: policyOf(['a.example']), capabilities: [], log });
    const may = (host: string): boolean => engine.mayReach(ANNA, { host, port: 443 }).allow;
    expect([may('a.example'), may('b.example')]).toEqual([false, true]);
    engine.replace(policyOf(['b.example']));
    expect([may('a.example'), may('b.example')]).toEqual([true, false]);
  });

  it('are none for people of a tenant that the policy does not know', async () => {
    expect(await reach(policy({}), 'good.example', 443, { ...ANNA, tenant: 'unheard' })).toMatchObject({
      allow: false,
    });
  });
});
