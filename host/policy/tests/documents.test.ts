import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../policy.ts';
import { saidOf } from '../tightening.ts';
import { decide, OWN, parsed } from './own-settings.ts';
import { ANNA } from './policy-samples.ts';

const read = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '..', name), 'utf8');

describe('the complete policy file', () => {
  const source = read('complete.policy.yaml');
  const { content } = parsePolicy(source, 'complete.policy.yaml', OWN);

  it.each(OWN.leaves.map(({ path: at, setting }) => [at.join('.'), at, setting] as const))(
    'has %s',
    (_name, at, setting) => {
      const value = saidOf(content.tenants['default']?.policy ?? {}, at);
      const { fallback, gap } = setting;
      const isComment = gap !== undefined && fallback === undefined; // it has no value that a file may have
      const line = `add ${at.join('.')} with its default and its description to host/policy/complete.policy.yaml`;
      expect(value === undefined, line).toBe(isComment);
      const isSet = typeof fallback === 'object' ? Object.keys(fallback ?? {}).length > 0 : fallback !== undefined;
      if (isSet) expect(value).toEqual(fallback);
      const comment = `# ${setting.about}${setting.protects ? ' *' : ''}${gap === undefined ? '' : ' (not yet)'}`;
      const start = new RegExp(`^${isComment ? '# +' : ''}${at.at(-1)}:`);
      const lines = source.split('\n').map((line) => line.trim());
      expect(
        lines.some((each) => start.test(each) && each.endsWith(comment)),
        `its line has to end in "${comment}"`,
      ).toBe(true);
    },
  );

  it('has valid examples of settings that have no default and that nothing acts on yet', () => {
    const shown = source.replace(/^( +)# ( *\w+:(?: .*)?)$/gm, '$1$2');
    const policy = parsed(shown).content.tenants['default']?.policy ?? {};
    for (const { path: at } of OWN.leaves) expect(saidOf(policy, at), at.join('.')).toBeDefined();
  });
});

describe('the policy file of the README', () => {
  const [, source = ''] = /```yaml\n(.*?)```/s.exec(read('README.md')) ?? [];
  const policy = parsePolicy(source, 'README.md', OWN);

  it('does what its comments say', () => {
    const bank = decide(policy, ANNA, 'https://www.bank.example/').settings;
    expect(bank).toMatchObject({
      copy_paste: { disable_copy: true },
      transfers: { uploads: false, downloads: true },
      site_capabilities: { print_enabled: false },
      limits: { tabs: 4, idle_seconds: 1800 },
      egress: { block: ['*.games.example'] },
    });
    const ben = decide(policy, { ...ANNA, subject: 'ben' }, 'https://other.example/').settings;
    expect(ben).toMatchObject({ transfers: { uploads: true }, site_capabilities: { print_enabled: true } });
    expect(ben.limits.tabs).toBeUndefined();
  });
});
