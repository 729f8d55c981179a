import { afterEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import type { PrintDialogProps } from '../client/index.ts';

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

it('[S-106] reports a preview that the host does not answer, by its label, and none that is refused or stopped', async () => {
  const { client, host, flush, overlay, events } = pluginHarness(manifest);
  await activate(client);
  host.commands.send(printOpen, { id: 1, allowed: true });
  await flush();
  const { preview, initial } = overlay.asked[0]?.props as unknown as PrintDialogProps;
  const failed = async (answer: () => Promise<Response>, stop = new AbortController()): Promise<unknown[]> => {
    vi.stubGlobal('fetch', answer);
    const before = events.length;
    await expect(preview(initial, stop.signal)).rejects.toThrow();
    return events.slice(before);
  };
  const event = (message: string, status?: number): unknown[] => [
    expect.objectContaining({
      name: 'tc-server-call-failed',
      data: expect.objectContaining({ label: 'print', message, data: { status } }) as unknown,
    }),
  ];
  expect(await failed(() => Promise.reject(new TypeError('away')))).toEqual(event('TypeError: away'));
  const broken = (): Promise<Response> => Promise.resolve(new Response('', { status: 502 }));
  expect(await failed(broken)).toEqual(event('the preview has status 502', 502));
  expect(await failed(() => Promise.resolve(new Response('', { status: 403 })))).toEqual([]);
  const stop = new AbortController();
  stop.abort();
  expect(await failed(() => Promise.reject(new TypeError('stopped')), stop)).toEqual([]);
});
