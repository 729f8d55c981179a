import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEPARTED, KEPT, LATER, OWED, WHOLE } from './one-sided.ts';
import { ProtocolUses } from './two-sides.ts';
import type { Sides } from './two-sides.ts';

/** Whether code of one side produces it and code of another understands it. */
function isMet({ by, to }: Sides): boolean {
  return [...by].some((from) => [...to].some((into) => from !== into || from === 'shared'));
}

/** The entry of a list that covers a place: `file schema.field`, or what it is in. */
function coveredBy(list: Readonly<Record<string, string>>, place: string): string | undefined {
  return Object.keys(list).find(
    (each) => place === each || (/^[.=]/.test(place.slice(each.length)) && place.startsWith(each)),
  );
}

describe('client, host and page', () => {
  let uses: ProtocolUses;
  const oneSided: string[] = [];
  beforeAll(() => {
    uses = new ProtocolUses();
    for (const found of [uses.messages, uses.fields])
      for (const [place, sides] of found) if (!isMet(sides)) oneSided.push(place);
    for (const [place, { by }] of uses.kinds) if (by.size === 0) oneSided.push(place);
  });

  const unlisted = (of: ReadonlyMap<string, unknown>): string[] =>
    oneSided.filter((place) => of.has(place) && [LATER, DEPARTED, WHOLE].every((list) => !coveredBy(list, place)));

  it('send every message that the other handles, and handle every one that it sends', () => {
    expect(uses.messages.size).toBeGreaterThan(90);
    expect(unlisted(uses.messages), 'send and handle it, or remove it').toEqual([]);
  });

  it('produce every field that the other reads, and read every one that it produces', () => {
    expect(uses.fields.size).toBeGreaterThan(300);
    expect(unlisted(uses.fields), 'fill in and read it, or remove it').toEqual([]);
  });

  it('produce every kind and state that the other knows', () => {
    expect(uses.kinds.size).toBeGreaterThan(40);
    expect(unlisted(uses.kinds), 'produce it, or remove it').toEqual([]);
  });

  it('owe each other less and less', () => {
    const under = (list: typeof LATER): string[] => oneSided.filter((place) => coveredBy(list, place) !== undefined);
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
    const needed = new Set(oneSided.map((place) => coveredBy(list, place)));
    expect(Object.keys(list).filter((each) => !needed.has(each))).toEqual([]);
  });
});
