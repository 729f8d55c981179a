import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { geolocationToken, OriginPermissions } from '../host/origin-permissions.ts';
import { Refusals, refusalsToken } from '../host/refusals.ts';
import { manifest } from '../manifest.ts';
import { pageRefused, permissionRefused } from '../protocol.ts';

it('tells the person once of each site that asks for what no page gets, by the origin that the browser knows', async () => {
  const { client, host, hostServices, page, frames, flush } = pluginHarness(manifest);
  hostServices.provide(geolocationToken, new OriginPermissions(() => Promise.resolve()));
  hostServices.provide(refusalsToken, new Refusals());
  const told: unknown[] = [];
  client.commands.handle(permissionRefused, (refused) => void told.push(refused));
  await activate(host);
  frames.load({ id: 2, url: 'https://claimed.test/' });
  frames.tellOrigin(2, 'https://frame.test');
  for (const frame of [1, 1, 2]) page.in(frame).send(pageRefused, { name: 'media' });
  page.in(1).send(pageRefused, { name: 'notifications' });
  for (let turn = 0; turn < 3; turn++) await flush();
  expect(told).toEqual([
    { name: 'media', site: 'site.test' },
    { name: 'media', site: 'frame.test' },
    { name: 'notifications', site: 'site.test' },
  ]);
});

it('is bounded in what it remembers', () => {
  const refusals = new Refusals();
  for (let count = 0; count < 3000; count += 1) refusals.isNew(`https://${count}.test`, 'media');
  expect(refusals.isNew('https://2999.test', 'media')).toBe(false);
  expect(refusals.isNew('https://0.test', 'media')).toBe(true);
});
