import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { citedIn, namedIn } from '../requirements/citations.ts';
import { readCitations, readRequirements, stateOf } from '../requirements/coverage.ts';

const root = path.resolve(import.meta.dirname, '../..');
const requirements = readRequirements(root);

describe('tests/REQUIREMENTS.md', () => {
  it('has every id of the code and the tests', () => {
    const known = new Set(requirements.map(({ id }) => id));
    const unknown = [...readCitations(root)].filter(([id]) => !known.has(id)).map(([id, by]) => ({ id, ...by }));
    expect(unknown).toEqual([]);
  });

  it('has each id once, with a text', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(400);
    expect(requirements.filter(({ text }) => text.length < 20)).toEqual([]);
  });

  it('names existing folders of core and host', () => {
    const PLANNED = ['host/files', 'host/dlp'];
    const folders = requirements.map(({ where }) => where).filter((where) => !where.startsWith('plugins/'));
    const missing = folders.filter((where) => !PLANNED.includes(where) && !existsSync(path.join(root, where)));
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe('the search for citations', () => {
  // In two parts, so that it contains no requirement id itself.
  const id = (number: string): string => `S-${number}`;

  it.each([
    `it('[${id('901')}] does', () => {});`,
    `it.each([1])('[${id('901')}] does %i', () => {});`,
    `describe("[${id('901')}]: a part", () => {});`,
    `test(\`[${id('901')}] \${x}\`, () => {});`,
    `await tally.check('[${id('901')}] looks', run);`,
  ])('finds %s', (text) => {
    expect(citedIn('x.test.ts', text)).toEqual([id('901')]);
  });

  it('finds several in a pair of brackets', () => {
    expect(citedIn('x.test.ts', `it('[${id('901')}, ${id('902')}] do', run)`)).toEqual([id('901'), id('902')]);
  });

  it.each([`// [${id('901')}]`, `it('${id('901')} does', run);`, `expect('[${id('901')}]').toBe(1);`])(
    'treats %s as a mention',
    (text) => {
      expect(citedIn('x.test.ts', text)).toEqual([]);
      expect(namedIn(text)).toEqual([id('901')]);
    },
  );

  it('distinguishes tested, named and open', () => {
    expect(stateOf({ tests: ['a.test.ts'], code: [] })).toBe('tested');
    expect(stateOf({ tests: [], code: ['a.ts'] })).toBe('named');
    expect(stateOf(undefined)).toBe('open');
  });
});
