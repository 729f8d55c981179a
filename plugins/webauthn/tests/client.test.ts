import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { webauthnCrossOrigin } from '../protocol.ts';

it('[R-067] reports that a frame of another origin has asked, and which', async () => {
  const { client, host, flush, events, overlay } = pluginHarness(manifest);
  await activate(client);
  host.commands.send(webauthnCrossOrigin, { origin: 'https://frame.test' });
  await flush();
  expect(events).toMatchObject([{ name: 'tc-webauthn-cross-origin', data: { origin: 'https://frame.test' } }]);
  expect(overlay.asked).toEqual([]);
});
