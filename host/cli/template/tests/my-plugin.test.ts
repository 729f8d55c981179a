import { expect, it } from 'vitest';
import { pluginHarness } from 'vitrine/testing';
import { activate as activateClient } from '../client/index.ts';
import type { PanelProps } from '../client/index.ts';
import { activate as activateHost } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { countNow, linksFound } from '../protocol.ts';

it('shows the number of links, and counts again on request', async () => {
  const { client, host, page, overlay, flush, faults } = pluginHarness(manifest);
  await activateClient(client);
  await activateHost(host);
  const { links, onCount } = overlay.filled[0]?.props as PanelProps; // the only thing in a slot

  page.in(1).send(linksFound, { links: 3 });
  await flush();
  expect(links.value).toBe(3);

  page.in(1).handle(countNow, () => ({ links: 5 }));
  onCount();
  await flush();
  expect(links.value).toBe(5);
  expect(faults).toEqual([]);
});

it('ignores messages of inner frames, and refuses invalid ones', async () => {
  const { client, host, page, frames, overlay, flush, faults } = pluginHarness(manifest);
  await activateClient(client);
  await activateHost(host);
  frames.load({ id: 2, url: 'https://inner.test/' });
  page.in(2).send(linksFound, { links: 9 });
  page.in(1).send(linksFound, { links: -1 });
  await flush();
  expect((overlay.filled[0]?.props as PanelProps).links.value).toBe(0);
  expect(faults.map(({ code }) => code)).toEqual(['bad-message']);
});
