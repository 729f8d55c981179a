import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import { manifest } from '../../manifest.ts';
import { TextSource } from '../text-source.ts';

it('texts that a document has requested are not given to the next one in its frame, and vice versa', async () => {
  const { host, cdp } = pluginHarness(manifest, { url: 'https://site.test/' });
  const answers: ((content: string) => void)[] = [];
  cdp.answer('Page.getResourceContent', async () => {
    const content = await new Promise<string>((resolve) => answers.push(resolve));
    return { content, base64Encoded: false };
  });
  const source = new TextSource(host, { idOf: () => undefined });
  const load = (): Promise<string | undefined> => source.load(1, 'https://site.test/a.css');
  const [first, same] = [load(), load()];
  source.begin(1);
  const second = load();
  expect(answers).toHaveLength(2);
  for (const answer of answers.splice(0)) answer(`text ${answers.length}`);
  expect([await first, await same, await second]).toEqual([undefined, undefined, 'text 0']);
});

it('a failed load of the surrogate is not waited for, a pending one is', async () => {
  const { host, cdp } = pluginHarness(manifest, { url: 'https://site.test/' });
  const frameId = host.cdp.frameId(1);
  const resources: object[] = [{ url: 'https://site.test/a.css', failed: true }, { url: 'https://site.test/b.css' }];
  cdp.answer('Page.getResourceTree', () => ({
    frameTree: { frame: { id: 'OTHER' }, resources: [], childFrames: [{ frame: { id: frameId }, resources }] },
  }));
  const loaded: { content?: string } = {};
  cdp.answer('Page.getResourceContent', () => {
    if (loaded.content === undefined) throw new Error('Content unavailable');
    return { ...loaded, base64Encoded: false };
  });
  const source = new TextSource(host, { idOf: () => undefined });
  expect(await source.load(1, 'https://site.test/a.css')).toBeUndefined();
  const late = source.load(1, 'https://site.test/b.css');
  await new Promise((done) => setTimeout(done, 60));
  loaded.content = 'b';
  expect(await late).toBe('b');
  expect(await source.load(1, 'https://site.test/a.css')).toBe('b');
});
