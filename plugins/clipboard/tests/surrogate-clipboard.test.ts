import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANNA, BEN, browse, serveSite, startWorker } from '../../../host/cell/tests/harness.ts';
import type { RegisteredPlugin } from '../../../host/plugins/registry.ts';
import { clipboardToken } from '../host/clipboard.ts';
import type { Clipboard, ClipboardContent } from '../host/clipboard.ts';
import { activateSession } from '../host/session.ts';
import { manifest } from '../manifest.ts';

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the clipboard of a surrogate', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const clipboards = new Map<string, Clipboard>();

  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>page');
    const half: RegisteredPlugin = {
      manifest: { ...manifest, protocol: {} },
      folder: 'clipboard',
      external: false,
      activateSession,
      activate: ({ tab, services }) => {
        clipboards.set(`${tab.person} ${tab.url()}`, services.get(clipboardToken));
      },
    };
    started = await startWorker({ plugins: [half] });
    await browse(started.worker, site.url('one.test'), ANNA);
    await browse(started.worker, site.url('two.test'), ANNA);
    await browse(started.worker, site.url('one.test'), BEN);
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const of = (person: string, host: string): Clipboard => {
    const found = clipboards.get(`${person} ${site.url(host)}`);
    if (!found) throw new Error(`${person} has no ${host}`);
    return found;
  };
  const read = (clipboard: Clipboard): Promise<ClipboardContent> => clipboard.use((held) => held.read());
  const write = (clipboard: Clipboard, content: ClipboardContent): Promise<void> =>
    clipboard.use((held) => held.write(content));

  it('is one for all tabs of a person, and of nobody else', async () => {
    await write(of('anna', 'one.test'), { text: 'hers' });
    expect(await read(of('anna', 'two.test'))).toEqual({ text: 'hers' });
    expect(await read(of('ben', 'one.test'))).toEqual({});
    await write(of('ben', 'one.test'), { text: 'his' });
    expect(await read(of('anna', 'one.test'))).toEqual({ text: 'hers' });
    await write(of('anna', 'one.test'), {});
    expect(await read(of('anna', 'two.test'))).toEqual({});
  });

  it('gives HTML without scripts, and pictures that have been made anew', async () => {
    const anna = of('anna', 'one.test');
    await write(anna, { text: 'b', html: '<b onclick="x()">b</b><script>y()</script>' });
    const { text, html } = await read(anna);
    expect(text).toBe('b');
    expect(html).toMatch(/<b[ >]/);
    expect(html).not.toMatch(/script|onclick/);
    await write(anna, { picture: PNG });
    const { picture, ...texts } = await read(anna);
    expect(texts).toEqual({});
    expect(
      Buffer.from(picture ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('takes what cannot be a picture for a fault, and works on', async () => {
    const anna = of('anna', 'one.test');
    await expect(write(anna, { picture: Buffer.from('no picture') })).rejects.toMatchObject({
      code: 'clipboard-failed',
    });
    await write(anna, { text: 'on' });
    expect(await read(anna)).toEqual({ text: 'on' });
  });

  it('is used by one at a time', async () => {
    const anna = of('anna', 'one.test');
    const first = anna.use(async (held) => {
      await held.write({ text: 'first' });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return held.read();
    });
    await write(of('anna', 'two.test'), { text: 'second' });
    expect(await first).toEqual({ text: 'first' });
    expect(await read(anna)).toEqual({ text: 'second' });
  });
});
