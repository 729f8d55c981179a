import { expect, it } from 'vitest';
import { BURST, FontTurns, MAX_WAITING } from '../font-turns.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

it('[L9] those who ask for fonts take turns, one lookup at a time', async () => {
  const turns = new FontTurns();
  const order: string[] = [];
  const goes: (() => void)[] = [];
  const ask = (name: string, owner: object): void =>
    void turns.take(owner, () => {
      order.push(name);
      return new Promise((go) => goes.push(go));
    });
  const [busy, other] = [{}, {}];
  for (let at = 0; at < 5; at++) ask(`busy ${at}`, busy);
  ask('other', other);
  for (let at = 0; at < 6; at++) {
    await settled();
    expect(order).toHaveLength(at + 1);
    goes[at]?.();
  }
  expect(order.slice(0, 3)).toEqual(['busy 0', 'busy 1', 'other']);
});

it('[L9] lookups of one asker are bounded: those that wait, and those in a time', async () => {
  let now = 0;
  const turns = new FontTurns(() => now);
  const [flooding, hanging, other] = [{}, {}, {}];
  let looked = 0;
  const look = async (): Promise<void> => {
    looked++;
  };
  for (let at = 0; at < BURST * 2; at++) await turns.take(flooding, look);
  expect(looked).toBe(BURST);
  now += 2000;
  for (let at = 0; at < 10; at++) await turns.take(flooding, look);
  expect(looked).toBe(BURST + 4);
  expect(await turns.take(other, look)).toBe(true);

  const taken = Array.from({ length: MAX_WAITING + 2 }, () => turns.take(hanging, () => new Promise(() => undefined)));
  expect(await taken.at(-1)).toBe(false);
});
