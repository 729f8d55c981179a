import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import { manifest } from '../../manifest.ts';
import { growth } from '../../../../core/testing/growth.ts';
import { MAX_LOADS, TextSource } from '../text-source.ts';

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

it('[L12] files past the bound do not load, until others have', async () => {
  const { host, cdp } = pluginHarness(manifest, { url: 'https://site.test/' });
  let answer: (content: string) => void = () => undefined;
  const answered = new Promise<string>((done) => (answer = done));
  cdp.answer('Page.getResourceContent', async () => ({ content: await answered, base64Encoded: false }));
  const source = new TextSource(host, { idOf: () => undefined });
  const loads = Array.from({ length: MAX_LOADS }, (_, at) => source.load(1, `https://site.test/${at}.css`));
  expect(await source.load(1, 'https://site.test/more.css')).toBeUndefined();
  answer('text');
  expect(new Set(await Promise.all(loads))).toEqual(new Set(['text']));
  expect(await source.load(1, 'https://site.test/more.css')).toBe('text');
});

it.each(['%', 'a', '%4', '%41', '%zz'])(
  '[H1] a data address that repeats %j is decoded in linear time',
  async (piece) => {
    const { host } = pluginHarness(manifest, { url: 'https://site.test/' });
    // One for each load: a second load of an address that is pending does nothing.
    const load = (address: string): Promise<string | undefined> =>
      new TextSource(host, { idOf: () => undefined }).load(1, address);
    const input = (units: number): string => `data:text/css,${piece.repeat(units / piece.length)}`;
    expect(await load(input(12))).toBe(piece === '%41' ? 'AAAA' : input(12).slice('data:text/css,'.length));
    expect(growth({ input, run: (address) => void load(address) }, 6)).toBeLessThan(6);
  },
);
