import { afterEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { printOpen } from '../protocol.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['en-US', 'letter'],
  ['en-GB', 'a4'],
])(
  '[R-034] the dialog begins, for a person whose browser has the language %s, with %s',
  async (language, paper_size) => {
    vi.stubGlobal('navigator', { language });
    const { client, host, flush, overlay } = pluginHarness(manifest);
    await activate(client);
    host.commands.send(printOpen, { id: 1, allowed: true });
    await flush();
    expect(overlay.asked[0]?.props).toMatchObject({
      initial: { layout: 'portrait', paper_size, scale: 100, header_footer: true, background: false },
    });
  },
);
