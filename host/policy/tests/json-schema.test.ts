import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyJsonSchema } from '../json-schema.ts';
import { parsePolicy } from '../policy.ts';
import { PolicyError } from '../policy-error.ts';
import { saidOf } from '../tightening.ts';
import { ENFORCED, OWN, parsed } from './own-settings.ts';
import { blockOf, blocks, faultsOf, FULL, tenantFile } from './policy-samples.ts';

describe('the published JSON Schema', () => {
  // Fastify's version, which is newer than the linter's.
  const { Ajv2020 } = createRequire(createRequire(import.meta.url).resolve('@fastify/ajv-compiler'))(
    'ajv/dist/2020.js',
  ) as {
    Ajv2020: new (options: object) => { compile(schema: object): (value: unknown) => boolean };
  };
  const fits = new Ajv2020({ strict: true, allErrors: false }).compile(policyJsonSchema(ENFORCED));
  const isInOrder = (source: string): boolean => faultsOf(source).length === 0;

  it('is the one that is committed', () => {
    const file = path.resolve(import.meta.dirname, '../vitrine.policy.schema.json');
    const how = 'run npm run -s vitrine -- policy schema > host/policy/vitrine.policy.schema.json';
    expect(JSON.parse(readFileSync(file, 'utf8')), how).toEqual(JSON.parse(JSON.stringify(policyJsonSchema(OWN))));
  });

  it('refuses values without effect, as the host does', () => {
    const fits = new Ajv2020({ strict: true, allErrors: false }).compile(policyJsonSchema(OWN));
    const isValid = (source: string): boolean => {
      try {
        parsePolicy(source, 'p.yaml', OWN);
        return true;
      } catch (thrown) {
        if (thrown instanceof PolicyError) return false;
        throw thrown;
      }
    };
    const policy = parsed(FULL).content.tenants['default']?.policy ?? {};
    let refused = 0;
    for (const { path: at, setting } of OWN.leaves)
      // A list per level is not parsed again: what it holds is tested above.
      for (const value of [...(setting.accepted ?? []), saidOf(policy, at)]) {
        if (at[0] === 'egress' && at[1] === 'allow') continue;
        const source = tenantFile(blockOf(at, value));
        expect(fits(JSON.parse(source)), source).toBe(isValid(source));
        refused += isValid(source) ? 0 : 1;
      }
    expect(refused).toBeGreaterThan(50);
  });

  it.each([['<'], [' '], ['']])('refuses the watermark %j, as the host does', (text) => {
    const source = tenantFile(blockOf(['watermark', 'text'], text));
    expect(isInOrder(source)).toBe(false);
    expect(fits(JSON.parse(source))).toBe(false);
  });

  it('validates blocks as the host does, valid and invalid ones', () => {
    const wrong = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.constant({ x: 1 }),
    );
    const settings = fc.constantFrom(...ENFORCED.leaves.map((leaf) => leaf.path));
    const long = process.env['VITRINE_LONG'] === undefined ? 300 : 5000;
    fc.assert(
      fc.property(settings, wrong, (setting, value) => {
        const source = tenantFile(blockOf(setting, value));
        expect(fits(JSON.parse(source)), source).toBe(isInOrder(source));
      }),
      { numRuns: long },
    );
    fc.assert(
      fc.property(blocks(), (block) => {
        expect(fits({ tenants: { default: { policy: block } } })).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
