import { describe, expect, it } from 'vitest';
import { faultsOf } from './policy-samples.ts';

describe('a policy file with flags', () => {
  it('lists all faults of a flag, even if parts are malformed', () => {
    const tenants = 'tenants: { t: {} }';
    const flag = (what: string): string[] => faultsOf(`${tenants}\nflags:\n  x: ${what}`);
    expect(flag('{state: ON, variants: {a: true}, defaultVariant: b}')).toEqual([
      expect.stringMatching(/^3:14: state: /),
      expect.stringMatching(/^3:55: unknown variant b: expected one of a$/),
    ]);
    const fractional = 'targeting: {fractional: [[a, -5], [zz, 5]]}';
    expect(flag(`{state: ENABLED, variants: {a: [true]}, defaultVariant: a, ${fractional}}`)).toEqual([
      expect.stringMatching(/^3:37: a: /),
      expect.stringMatching(/^3:\d+: fractional: expected a whole number of at least 0 as share, not -5$/),
      expect.stringMatching(/^3:\d+: unknown variant zz: expected one of a$/),
    ]);
    expect(flag('{state: ON, variants: [a], targeting: {nope: 1}, colour: red}')).toEqual([
      expect.stringMatching(/^3:6: "defaultVariant" is missing$/),
      expect.stringMatching(/^3:14: state: /),
      expect.stringMatching(/^3:28: variants: expected names with values, not a list$/),
      expect.stringMatching(/^3:45: unknown operator nope$/),
      expect.stringMatching(/^3:\d+: unknown key "colour"/),
    ]);
    expect(faultsOf('flags: {x: {state: ENABLED, variants: {a: true}, defaultVariant: b}}')).toEqual([
      expect.stringMatching(/^1:1: "tenants" is missing$/),
      expect.stringMatching(/unknown variant b/),
    ]);
  });

  it.each<[fractional: unknown, fault: RegExp]>([
    [[['a', 0], ['b', 0]], /the shares add up to 0: no person gets a variant$/], // prettier-ignore
    [[], /the shares add up to 0/],
    ['a', /the shares add up to 0/],
    [['user'], /the shares add up to 0/],
    [[['a', 2 ** 30], ['b', 2 ** 30]], /the shares add up to more than 2147483647$/], // prettier-ignore
    [[['a', 0.5], ['b', 1]], /expected a whole number of at least 0 as share, not 0\.5$/], // prettier-ignore
    [[['a', '10']], /expected a whole number of at least 0 as share, not "10"$/],
    [['a', 50], /expected \[variant, share\], not 50$/],
    [[['a', 1, 2]], /expected \[variant, share\], not \["a",1,2\]$/],
    [[[]], /expected \[variant, share\], not \[\]$/],
  ])('is refused with shares that cannot be assigned: %j', (fractional, fault) => {
    const variants = { a: true, b: false };
    const flag = (targeting: object): string =>
      JSON.stringify({
        tenants: {},
        flags: { find: { state: 'ENABLED', variants, defaultVariant: 'a', targeting } },
        $evaluators: { half: targeting },
      });
    const faults = faultsOf(flag({ fractional }));
    expect(faults).toEqual([expect.stringMatching(fault), expect.stringMatching(fault)]); // the flag's, and the shared rule's
    for (const fine of [
      [['a'], ['b']],
      [{ var: 'user' }, ['a', 1], ['b', 0]],
      ['salt', ['a', { '+': [0, 0] }]],
    ])
      expect(faultsOf(flag({ fractional: fine }))).toEqual([]);
  });
});
