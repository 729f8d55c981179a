import { expect, it } from 'vitest';
import { OriginPermissions } from '../host/origin-permissions.ts';

const SITE = 'https://site.test';
const OTHER = 'https://other.test';

function start() {
  const received: string[] = [];
  const state = { fails: false };
  const permissions = new OriginPermissions((origin, setting) => {
    received.push(`${origin} ${setting}`);
    return state.fails ? Promise.reject(new Error('gone')) : Promise.resolve();
  });
  return { permissions, received: () => received.splice(0), state };
}

it('applies the state for all tabs of the person to the browser, once', async () => {
  const { permissions, received } = start();
  const [one, two] = [permissions.of('one'), permissions.of('two')];
  await one.letAsk([SITE]);
  await two.letAsk([SITE, OTHER]);
  expect(received()).toEqual([`${SITE} prompt`, `${OTHER} prompt`]);
  await one.decide(SITE, 'granted');
  expect(two.decision(SITE)).toBe('granted');
  await two.letAsk([OTHER]);
  expect(received()).toEqual([`${SITE} granted`]);
  await one.letAsk([]);
  expect(received()).toEqual([`${SITE} denied`]);
  await two.letAsk([SITE]);
  expect(received()).toEqual([`${SITE} granted`, `${OTHER} denied`]);
});

it('applies a failed state to the browser again', async () => {
  const { permissions, received, state } = start();
  const tab = permissions.of('tab');
  state.fails = true;
  await expect(tab.letAsk([SITE])).rejects.toThrow('gone');
  await expect(tab.letAsk([])).rejects.toThrow('gone'); // it may have been applied anyway
  state.fails = false;
  await tab.letAsk([SITE]);
  expect(received()).toEqual([`${SITE} prompt`, `${SITE} denied`, `${SITE} prompt`]);
});

it('[R-090] applies a failed state again that is wanted still', async () => {
  const { permissions, received, state } = start();
  const tab = permissions.of('tab');
  state.fails = true;
  await expect(tab.letAsk([SITE])).rejects.toThrow('gone');
  state.fails = false;
  await tab.letAsk([SITE]);
  await tab.letAsk([SITE]);
  expect(received()).toEqual([`${SITE} prompt`, `${SITE} prompt`]);
});

it('applies the state to a new browser', async () => {
  const { permissions, received } = start();
  const tab = permissions.of('tab');
  await tab.letAsk([SITE]);
  await tab.decide(SITE, 'granted');
  await tab.decide(OTHER, 'granted');
  received();
  await permissions.renew();
  expect(received()).toEqual([`${SITE} granted`]);
});
