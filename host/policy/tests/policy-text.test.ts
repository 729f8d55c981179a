import { describe, expect, it } from 'vitest';
import { faultsOf } from './policy-samples.ts';

describe('a policy file', () => {
  it('that is nested too deeply has one fault, and no others', () => {
    const nested = [
      (depth: number): string => '['.repeat(depth),
      (depth: number): string => `tenants: ${'{ a: '.repeat(depth)}1${' }'.repeat(depth)}`,
      (depth: number): string => `${'- '.repeat(depth)}x`,
    ];
    for (const make of nested)
      for (const depth of [1000, 2000, 20_000])
        expect(faultsOf(make(depth)), `${make(1)} x ${depth}`).toEqual([
          expect.stringMatching(/^1:\d+: nested too deeply$/),
        ]);
  });

  it('is refused when its aliases expand it above the limit of a person’s policy', () => {
    const logo = `'data:image/png;base64,${'A'.repeat(299_000)}'`;
    const groups = (count: number): string =>
      ['a', 'b']
        .flatMap((anchor) =>
          Array.from(
            { length: count },
            (_, i) =>
              `${anchor}${i}: { policy: { banner: { logo: ${i === 0 ? `&${anchor} ${logo}` : `*${anchor}`} } } }`,
          ),
        )
        .join(', ');
    const file = (count: number): string => `tenants: { default: { groups: { ${groups(count)} } } }`;
    expect(faultsOf(file(40))).toEqual([]);
    expect(faultsOf(file(60))).toEqual([
      expect.stringMatching(/^1:1: with its aliases expanded it has more than 33554432 characters/),
    ]);
  });
});
