import { expect, it } from 'vitest';
import { OriginPermissions } from '../host/origin-permissions.ts';

const SITE = 'https://site.test';
const OTHER = 'https://other.test';

function start() {
  const told: string[] = [];
  const state = { fails: false };
  const permissions = new OriginPermissions((origin, setting) => {
    told.push(`${origin} ${setting}`);
    return state.fails ? Promise.reject(new Error('gone')) : Promise.resolve();
  });
  return { permissions, told: () => told.splice(0), state };
}

it('tells the browser what holds for all tabs of the person, once', async () => {
  const { permissions, told } = start();
  const [one, two] = [permissions.of('one'), permissions.of('two')];
  await one.letAsk([SITE]);
  await two.letAsk([SITE, OTHER]);
  expect(told()).toEqual([`${SITE} prompt`, `${OTHER} prompt`]);
  await one.decide(SITE, 'granted');
  expect(two.decision(SITE)).toBe('granted');
  await two.letAsk([OTHER]);
  expect(told()).toEqual([`${SITE} granted`]);
  await one.letAsk([]);
  expect(told()).toEqual([`${SITE} denied`]);
  await two.letAsk([SITE]);
  expect(told()).toEqual([`${SITE} granted`, `${OTHER} denied`]);
});

it('tells the browser again what it could not be told', async () => {
  const { permissions, told, state } = start();
  const tab = permissions.of('tab');
  state.fails = true;
  await expect(tab.letAsk([SITE])).rejects.toThrow('gone');
  await expect(tab.letAsk([])).rejects.toThrow('gone'); // it may have heard of it all the same
  state.fails = false;
  await tab.letAsk([SITE]);
  expect(told()).toEqual([`${SITE} prompt`, `${SITE} denied`, `${SITE} prompt`]);
});

it('tells another browser what holds', async () => {
  const { permissions, told } = start();
  const tab = permissions.of('tab');
  await tab.letAsk([SITE]);
  await tab.decide(SITE, 'granted');
  await tab.decide(OTHER, 'granted');
  told();
  await permissions.renew();
  expect(told()).toEqual([`${SITE} granted`]);
});
