import { describe, expect, it } from 'vitest';
import { Messages } from '../messages.ts';
import { texts as ar } from '../messages/ar.ts';
import { texts as de } from '../messages/de.ts';
import { texts as en } from '../messages/en.ts';
import { ShellView } from '../shell-view.ts';

async function speak(...languages: string[]) {
  const reports: unknown[] = [];
  const messages = new Messages(languages, (name, data) => void reports.push([name, data?.['id']]));
  await messages.loadCore();
  return { messages, reports };
}

describe('messages', () => {
  it('[S-138] returns the texts of the catalogue, with their parameters', async () => {
    const { messages, reports } = await speak('en-US');
    expect(messages.text('ID_TC_RECONNECT_ERROR')).not.toBe('ID_TC_RECONNECT_ERROR');
    expect(messages.text('ID_TC_RELOADING', { seconds: 7 })).toBe('Reloading the page in 7 s');
    expect(messages.text('ID_TC_NETWORK_ISSUE', { code: 'a1b2' })).toContain('a1b2');
    expect(messages.text('ID_TC_NETWORK_RETRY')).not.toBe('ID_TC_NETWORK_RETRY');
    expect(reports).toEqual([]);
  });

  it('[S-138] tells causes of trouble with the network apart, by a code that is always the same for one', async () => {
    const info = { textContent: '' };
    const document = { getElementById: () => info } as unknown as Document; // while the tab starts
    const shell = new ShellView(document, (await speak('en')).messages, () => undefined);
    const codeOf = (cause: string): string | undefined => {
      shell.trouble(cause);
      return /\(code (\w{6})\)/.exec(info.textContent)?.[1];
    };
    const codes = ['pair: status 500', 'pair: status 502', 'global_pool_depleted', 'channel'].map(codeOf);
    expect(codes).not.toContain(undefined);
    expect(new Set(codes).size).toBe(4);
    expect(codeOf('pair: status 500')).toBe(codes[0]);
  });

  it('[S-138] shows the id where there is no text, and reports it', async () => {
    const { messages, reports } = await speak('en');
    expect(messages.text('ID_NO_SUCH')).toBe('ID_NO_SUCH');
    expect(reports).toEqual([['tc-localization-no-entry', 'ID_NO_SUCH']]);
  });

  it('uses the first supported language of the person, and English for texts that it lacks', async () => {
    expect((await speak('fr', 'de-AT', 'en')).messages.language).toBe('de');
    expect((await speak('fr')).messages.language).toBe('en');
    const { messages } = await speak('ar');
    expect(messages.direction).toBe('rtl');
    await messages.load({
      en: () => Promise.resolve({ texts: { 'probe.a': 'A {n}', 'probe.b': 'B' } }),
      ar: () => Promise.resolve({ texts: { 'probe.a': 'أ {n}' } }),
    });
    // Params keep their own direction in a line from right to left.
    expect(messages.text('probe.a', { n: 1 })).toBe('أ \u20681\u2069');
    expect(messages.text('probe.b')).toBe('B');
  });

  it('shows ids when a catalogue cannot be fetched', async () => {
    const { messages } = await speak('en');
    await messages.load({ en: () => Promise.reject(new Error('offline')) });
    expect(messages.text('probe.a')).toBe('probe.a');
  });

  it.each([
    ['de', de],
    ['ar', ar],
  ])('has the same texts with the same parameters in %s as in English', (_language, texts) => {
    const parameters = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
    for (const [id, text] of Object.entries(texts))
      expect(parameters(text), id).toEqual(parameters(en[id as keyof typeof en]));
  });
});
