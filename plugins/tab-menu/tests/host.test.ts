import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { buttonShown, bypassOffered } from '../protocol.ts';

it('tells the client where the policy has the button, and nothing while it has none', async () => {
  const { client, host, hostHooks, flush } = pluginHarness(manifest);
  const told: boolean[] = [];
  let isWanted = false;
  const asked: (string | undefined)[] = [];
  client.commands.handle(buttonShown, ({ shown }) => void told.push(shown));
  const policy = host.tab.policy();
  const tab = {
    ...host.tab,
    policy: (url?: string) => {
      asked.push(url);
      return { ...policy, session: { ...policy.session, tab_menu_button: isWanted } };
    },
  };
  await activate({ ...host, tab });
  const change = async (to: boolean, act: () => void): Promise<void> => {
    isWanted = to;
    act();
    await flush();
  };
  const attached = (fresh: boolean) => () => hostHooks.clientAttached.call({ fresh });
  const navigated = (frame: number) => () =>
    hostHooks.navigated.call({ frame, url: 'https://site.test/2', sameDocument: false });
  await change(false, attached(true));
  await change(false, navigated(1));
  expect(told).toEqual([]);
  await change(true, navigated(2)); // a frame of the page says nothing about it
  expect(told).toEqual([]);
  await change(true, navigated(1));
  await change(true, attached(false));
  expect(told).toEqual([true]);
  await change(true, attached(true)); // loaded again: it has forgotten
  await change(false, () => hostHooks.policyChanged.call({ policy: tab.policy() }));
  expect(told).toEqual([true, true, false]);
  expect(new Set(asked)).toEqual(new Set([undefined, 'https://site.test/2'])); // that of the page to come, where there is one
});

it('[S-099] tells the client where the policy offers to leave isolation, and nothing while it does not', async () => {
  const { client, host, hostHooks, flush } = pluginHarness(manifest);
  const told: boolean[] = [];
  client.commands.handle(bypassOffered, ({ offered }) => void told.push(offered));
  client.commands.handle(buttonShown, () => {
    throw new Error('there is no button');
  });
  const policy = host.tab.policy();
  const tab = {
    ...host.tab,
    policy: (url = '') => ({ ...policy, feedback: { ...policy.feedback, enable_bypass: url.includes('offered') } }),
  };
  await activate({ ...host, tab });
  const navigated = (url: string): void =>
    hostHooks.navigated.call({ frame: 1, url: `https://${url}.test/`, sameDocument: false });
  hostHooks.clientAttached.call({ fresh: true });
  navigated('site');
  await flush();
  expect(told).toEqual([]);
  for (const url of ['offered', 'offered', 'site', 'offered']) navigated(url);
  await flush();
  expect(told).toEqual([true, false, true]);
});
