import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import { squareFont } from '../../../../tests/e2e/support/font.ts';
import { manifest } from '../../manifest.ts';
import { FetchedFonts } from '../fetched-fonts.ts';

it('requests one body at a time to find the source of a font, and none of the previous page', async () => {
  const { cdp, host } = pluginHarness(manifest, { url: 'https://site.test/' });
  const fonts = new FetchedFonts(host);
  let open = 0;
  let most = 0;
  cdp.answer('Network.getResponseBody', async ({ requestId }: { requestId: string }) => {
    most = Math.max(most, ++open);
    await new Promise((done) => setTimeout(done, 5));
    open--;
    return { body: squareFont(requestId).toString('base64'), base64Encoded: true };
  });
  for (const requestId of ['One', 'Two', 'Three'])
    cdp.emit('Network.responseReceived', {
      requestId,
      type: 'Fetch',
      response: { url: `https://site.test/${requestId}`, mimeType: '' },
    });
  const found = await Promise.all(['Three', 'Two'].map((family) => fonts.address(family)));
  expect(found).toEqual(['https://site.test/Three', 'https://site.test/Two']);
  expect(most).toBe(1);
  fonts.forget();
  expect(await fonts.address('Two')).toBeUndefined();
});
