import { afterEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { showKeys } from '../client/keys-dialog.ts';
import { manifest } from '../manifest.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['MacIntel', true],
  ['iPhone', true],
  ['Win32', false],
  ['Linux x86_64', false],
])('[S-016] shows the keys of copy and paste as a keyboard of %s has them', async (platform, isMac) => {
  vi.stubGlobal('navigator', { platform });
  const { client, overlay } = pluginHarness(manifest);
  const shown = showKeys(client);
  await expect.poll(() => overlay.asked.map(({ props }) => props)).toMatchObject([{ isMac }]);
  overlay.asked[0]?.answer(undefined);
  await shown;
});
