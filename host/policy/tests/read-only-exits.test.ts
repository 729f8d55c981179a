import { expect, it } from 'vitest';
import type { Subject } from '../decision.ts';
import { MAX_PERSON_EXITS } from '../person-policy-data.ts';
import { ReadOnlyExits } from '../read-only-exits.ts';
import { ANNA } from './policy-samples.ts';

const HOUR_MS = 60 * 60_000;
let now = 0;
const begun = (): ReadOnlyExits => {
  now = 0;
  return new ReadOnlyExits(() => now);
};
const hosts = (exits: ReadOnlyExits, person: Subject = ANNA): string[] => exits.of(person).map(({ host }) => host);

it('an exit lasts for eight hours, for its person alone', () => {
  const exits = begun();
  expect(exits.of(ANNA)).toEqual([]);
  exits.add(ANNA, 'a.example');
  expect(exits.of(ANNA)).toEqual([{ host: 'a.example', until: 8 * HOUR_MS }]);
  expect(hosts(exits, { ...ANNA, subject: 'ben' })).toEqual([]);
  expect(hosts(exits, { ...ANNA, tenant: 'other' })).toEqual([]);
  expect(hosts(exits, { ...ANNA, groups: ['staff'] })).toEqual(['a.example']);
  now = 8 * HOUR_MS;
  expect(hosts(exits)).toEqual(['a.example']);
  now += 1;
  expect(hosts(exits)).toEqual([]);
});

it('an exit from the same host lasts anew, and is the newest', () => {
  const exits = begun();
  exits.add(ANNA, 'a.example');
  exits.add(ANNA, 'b.example');
  now = HOUR_MS;
  exits.add(ANNA, 'a.example');
  expect(exits.of(ANNA)).toEqual([
    { host: 'b.example', until: 8 * HOUR_MS },
    { host: 'a.example', until: 9 * HOUR_MS },
  ]);
  now = 8 * HOUR_MS + 1;
  exits.add(ANNA, 'c.example'); // those that have ended go
  expect(hosts(exits)).toEqual(['a.example', 'c.example']);
});

it('the oldest exits of a person make room', () => {
  const exits = begun();
  for (let at = 0; at <= MAX_PERSON_EXITS; at++) exits.add(ANNA, `${at}.example`);
  expect(hosts(exits)).toHaveLength(MAX_PERSON_EXITS);
  expect([hosts(exits)[0], hosts(exits).at(-1)]).toEqual(['1.example', `${MAX_PERSON_EXITS}.example`]);
});

it('people who were the first to leave make room for others', () => {
  const exits = begun();
  const person = (at: number): Subject => ({ ...ANNA, subject: `person ${at}` });
  for (let at = 0; at < 10_000; at++) exits.add(person(at), 'a.example');
  exits.add(person(0), 'b.example');
  expect([0, 1].map((at) => hosts(exits, person(at)).length)).toEqual([2, 1]);
  exits.add(person(10_000), 'a.example');
  expect([0, 1, 2].map((at) => hosts(exits, person(at)).length)).toEqual([2, 0, 1]);
});
