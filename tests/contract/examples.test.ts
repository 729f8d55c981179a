import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../core/contracts/manifest.ts';
import { pluginHarness } from '../../core/testing/harness.ts';
import { loadPlugins } from '../../host/plugins/registry.ts';
import { activate as activateBanner } from '../fixtures/site-banner/host/index.ts';
import { activate as showBanner } from '../fixtures/site-banner/client/index.ts';
import { manifest as siteBanner } from '../fixtures/site-banner/manifest.ts';
import { activate as activatePreview } from '../fixtures/link-preview/host/index.ts';
import { manifest as linkPreview } from '../fixtures/link-preview/manifest.ts';
import { linkPointed, previewChanged } from '../fixtures/link-preview/protocol.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
const NAMES = ['link-preview', 'reading-time', 'site-banner', 'word-count'];

describe('the examples', () => {
  it('are accepted as third-party plugins, under the names of their folders', async () => {
    const plugins = await loadPlugins(path.join(FIXTURES, 'none'), {
      folders: NAMES.map((name) => path.join(FIXTURES, name)),
    });
    expect(plugins.map(({ manifest }) => parseManifest(manifest).id)).toEqual(NAMES);
  });

  it('show the policy’s banner for a site, and none without one', async () => {
    const { client, host, hostHooks, frames, overlay, flush } = pluginHarness(siteBanner);
    const tab = {
      ...host.tab,
      policy: () => {
        const text = tab.url().startsWith('https://site.test/') ? 'Handle with care' : undefined;
        return { ...host.tab.policy(), site_banner: { text } };
      },
    };
    await showBanner(client);
    await activateBanner({ ...host, tab });
    const goTo = async (url: string): Promise<readonly object[]> => {
      frames.load({ id: 1, url });
      hostHooks.navigated.call({ frame: 1, url, sameDocument: false });
      await flush();
      return overlay.filled.map(({ slot, props }) => ({ slot, props }));
    };
    const shown = [{ slot: 'overlay.banner', props: { text: 'Handle with care' } }];
    expect(await goTo('https://site.test/a')).toEqual(shown);
    expect(await goTo('https://other.test/')).toEqual([]);
    expect(await goTo('https://site.test/b')).toEqual(shown);
  });

  it('show the target of a link, and do not trust pages', async () => {
    const { client, host, page, flush, faults } = pluginHarness(linkPreview);
    const told: unknown[] = [];
    client.commands.handle(previewChanged, (preview) => void told.push(preview));
    await activatePreview(host);
    for (const address of ['https://site.test/x', 'https://evil.test/', 'javascript:alert(1)', 'x'.repeat(3000)])
      page.in(1).send(linkPointed, { address, title: 't' });
    await flush();
    expect(told).toEqual([
      { host: 'site.test', title: 't', leaves: false },
      { host: 'evil.test', title: 't', leaves: true },
      { host: '', title: 't', leaves: false },
    ]);
    expect(faults.map(({ code }) => code)).toEqual(['bad-message']);
  });
});
