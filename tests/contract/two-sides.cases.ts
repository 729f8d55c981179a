import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEPARTED, KEPT, LATER, OWED, WHOLE } from './one-sided.ts';
import { ProtocolUses } from './two-sides.ts';

/** The entry of a list that covers a place: `file schema.field`, or what it is in. */
function coveredBy(list: Readonly<Record<string, string>>, place: string): string | undefined {
  return Object.keys(list).find(
    (each) => place === each || (/^[.=]/.test(place.slice(each.length)) && place.startsWith(each)),
  );
}

describe('client, host and page', () => {
  let uses: ProtocolUses;
  /** Places that do not go as they are declared, with the reasons. */
  const oneSided = new Map<string, readonly string[]>();
  beforeAll(() => {
    uses = new ProtocolUses();
    for (const place of [...uses.messages.keys(), ...uses.fields.keys()]) {
      const missing = uses.missing(place);
      if (missing.length > 0) oneSided.set(place, missing);
    }
    for (const [place, missing] of uses.missingKinds()) oneSided.set(place, missing);
  });

  const unlisted = (isOf: (place: string) => boolean): string[] =>
    [...oneSided]
      .filter(([place]) => isOf(place) && [LATER, DEPARTED, WHOLE].every((list) => !coveredBy(list, place)))
      .map(([place, missing]) => `${place}: ${missing.join(', ')}`);

  it('send every message that the other handles, and handle every one that it sends', () => {
    expect(uses.messages.size).toBeGreaterThan(90);
    expect(
      unlisted((place) => uses.messages.has(place)),
      'send and handle it, or remove it',
    ).toEqual([]);
  });

  it('produce every field that the other reads, and read every one that it produces', () => {
    expect(uses.fields.size).toBeGreaterThan(300);
    expect(
      unlisted((place) => uses.fields.has(place)),
      'fill in and read it, or remove it',
    ).toEqual([]);
  });

  it('produce every kind and state that the other knows, and go by every one that it produces', () => {
    const all = [...uses.kinds.fields.values()].reduce((sum, { kinds }) => sum + kinds.size, 0);
    expect(all).toBeGreaterThan(200);
    expect(
      unlisted((place) => place.includes('=')),
      'produce it and go by it, or remove it',
    ).toEqual([]);
  });

  it('owe each other less and less', () => {
    const under = (list: typeof LATER): string[] =>
      [...oneSided.keys()].filter((place) => coveredBy(list, place) !== undefined);
    expect(under(LATER), 'OWED only falls').toHaveLength(OWED);
    expect(under(DEPARTED), 'KEPT only falls').toHaveLength(KEPT);
  });

  it('have each one-sided part owned by later work, or by a departure that is recorded', () => {
    const owners = /^(?:the second renderer|input|surfaces|transfers|machines and sign-in): /;
    for (const [place, reason] of Object.entries(LATER)) expect(reason, place).toMatch(owners);
    const text = readFileSync(path.resolve(import.meta.dirname, '../REQUIREMENTS.md'), 'utf8');
    const departures = text.slice(text.indexOf('## Departures'));
    const recorded = [...departures.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, ids = '']) => ids.trim().split(', '));
    for (const [place, reason] of Object.entries(DEPARTED))
      expect(recorded, place).toContain(/^[SMR]-\d{3}(?=: )/.exec(reason)?.[0]);
  });

  it.each([
    ['LATER', LATER],
    ['DEPARTED', DEPARTED],
    ['WHOLE', WHOLE],
  ])('%s lists nothing that both have', (_name, list) => {
    const needed = new Set([...oneSided.keys()].map((place) => coveredBy(list, place)));
    expect(Object.keys(list).filter((each) => !needed.has(each))).toEqual([]);
  });
});
