import { describe, expect, it } from 'vitest';
import { faultsOf } from './policy-samples.ts';

describe('a policy file', () => {
  it('that is nested too deeply is said to be, once, and nothing else of it', () => {
    const nested = [
      (depth: number): string => '['.repeat(depth),
      (depth: number): string => `tenants: ${'{ a: '.repeat(depth)}1${' }'.repeat(depth)}`,
      (depth: number): string => `${'- '.repeat(depth)}x`,
    ];
    for (const make of nested)
      for (const depth of [1000, 2000, 20_000])
        expect(faultsOf(make(depth)), `${make(1)} x ${depth}`).toEqual([
          expect.stringMatching(/^1:\d+: it is nested too deeply$/),
        ]);
  });
});
