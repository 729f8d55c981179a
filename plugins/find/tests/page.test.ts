import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costGrowth } from '../../../core/testing/growth.ts';
import { FindBrowser } from './find-page.ts';
import type { FindPage } from './find-page.ts';

let browser: FindBrowser;
beforeAll(async () => {
  browser = await FindBrowser.launch();
});
afterAll(() => browser.close());

const open = (body: string): Promise<FindPage> => browser.open(`<!doctype html><title>Page</title>${body}`);

async function count(body: string, text: string, options: Parameters<FindPage['find']>[1] = {}): Promise<number> {
  const page = await open(body);
  const { count: found } = await page.find(text, options);
  await page.page.close();
  return found;
}

describe('text that is found', () => {
  it('spans inline elements and collapsed white space, and no blocks, lines or pictures', async () => {
    const page = await open(`<p>one <b>t<i>w</i></b>o
        three</p><p>four</p>five<br>six<img alt="">seven<pre>eight  nine
ten</pre><span style="display:block">eleven</span>twelve<textarea>thir\nteen</textarea>`);
    for (const [text, matches] of [
      ['one two three', 1],
      ['three four', 0],
      ['threefour', 0],
      ['fivesix', 0],
      ['sixseven', 0],
      ['eight  nine', 1],
      ['eight nine', 0],
      ['nine ten', 0],
      ['eleventwelve', 0],
      ['', 0],
    ] as const)
      expect([text, (await page.find(text)).count]).toEqual([text, matches]);
  });

  it('is what Chromium’s own search sees: not what is hidden, but what opens, and what cannot be selected', async () => {
    const body = `<p style="display:none">word</p><p style="visibility:hidden">word<b style="visibility:visible">word</b></p>
      <p hidden="until-found">word</p><details><summary>more</summary>word</details><p style="user-select:none">word</p>
      <div style="content-visibility:auto"><p>word</p></div><div style="content-visibility:hidden"><p>word</p></div>
      <script>word</script><style>word{}</style><template>word</template><noscript>word</noscript><svg><text y="20">word</text><title>word</title></svg>
      <input value="a word"><textarea>word</textarea><input type="password" value="word"><input type="hidden" value="word"><input placeholder="word">
      <select><option>other<option selected>word</select><button>word</button><input type="submit" value="word"><canvas>word</canvas>`;
    expect(await count(body, 'word')).toBe(12);
  });

  it('is not what the person cannot reach: `inert`, or outside a modal dialog', async () => {
    const body = `<p>word</p><div inert>word<p>word</p><input value="word"></div><dialog id=first>word</dialog><dialog id=second inert>word</dialog>`;
    expect(await count(body, 'word')).toBe(1);
    expect(await count(`${body}<script>first.showModal()</script>`, 'word')).toBe(1);
    expect(await count(`${body}<script>first.show()</script>`, 'word')).toBe(2);
    expect(
      await count(`<div inert>word<dialog id=inner>word</dialog></div><script>inner.showModal()</script>`, 'word'),
    ).toBe(1);
  });

  it('is in shadow roots, open and late ones, in the order of slots', async () => {
    const page =
      await open(`<div id=host><span slot=b>second</span><span slot=a>first</span>nowhere</div><x-y></x-y><script>
      document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<p>in shadow <slot name=a></slot> <slot name=b></slot><slot name=c>fallback</slot></p>';
      customElements.define('x-y', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = 'custom'; } });
    </script>`);
    for (const [text, matches] of [
      ['in shadow first secondfallback', 1],
      ['nowhere', 0],
      ['custom', 1],
    ] as const)
      expect([text, (await page.find(text)).count]).toEqual([text, matches]);
    await page.page.evaluate(() => {
      document.querySelector('#host')!.shadowRoot!.querySelector('p')!.textContent = 'late';
    });
    await expect.poll(async () => (await page.find('late')).count).toBe(1);
  });

  it('is folded: German, Turkish, Arabic, Japanese and others, each way', async () => {
    const body = `<p>Straße STRASSE Mu\u0308ller Müller İstanbul ISPARTA ısı مُحَمَّد محـمد أحمد ﬁn Œuvre ’quoted’ so\u00adft カタカナ ガ ٣ 각 हिन्दी</p>`;
    const page = await open(body);
    for (const [text, matches] of [
      ['strasse', 2],
      ['ß', 2],
      ['müller', 2],
      ['muller', 2],
      ['istanbul', 1],
      ['ısparta', 1],
      ['isi', 1],
      ['محمد', 2],
      ['احمد', 1],
      ['fin', 1],
      ['oeuvre', 1],
      ["'quoted'", 1],
      ['soft', 1],
      ['かたかな', 1],
      ['カ', 2],
      ['3', 1],
      ['가', 0],
      ['हन्द', 0],
      ['a', 5],
    ] as const)
      expect([text, (await page.find(text)).count]).toEqual([text, matches]);
  });

  it('tells case, accents and words apart where the person says so', async () => {
    const page = await open('<p>Case case CASE é e e\u0301 cat concat cat’s 東京都 東京</p>');
    expect((await page.find('case', { matchCase: true })).count).toBe(1);
    expect((await page.find('é', { matchDiacritics: true })).count).toBe(2);
    expect((await page.find('e', { matchDiacritics: true, wholeWords: true })).count).toBe(1);
    expect((await page.find('cat', { wholeWords: true })).count).toBe(1);
    expect((await page.find('cat')).count).toBe(3);
  });
});

describe('a match', () => {
  it('is brought into view in every scroller, and from what is closed, and nothing else of the page changes', async () => {
    const page =
      await open(`<input id=field><div style="height:3000px"></div><div id=box style="height:100px;overflow:auto"><div style="height:900px"></div>
      <details id=folded><summary>more</summary><p hidden=until-found id=until>needle</p></details></div>
      <script>window.log = []; for (const type of ['focusin', 'focusout', 'selectionchange', 'beforematch']) document.addEventListener(type, ({ type }) => log.push(type));</script>`);
    await page.page.locator('#field').focus();
    await page.page.evaluate('log.length = 0');
    expect(await page.find('needle')).toEqual({ count: 1, isCut: false, first: 0 });
    expect(await page.page.evaluate('scrollY')).toBe(0);
    const rect = await page.show(0);
    const [height, box] = await page.page.evaluate(() => [innerHeight, document.getElementById('box')!.scrollTop]);
    expect(rect!.y).toBeGreaterThan(0);
    expect(rect!.y + rect!.height).toBeLessThan(height);
    expect(box).toBeGreaterThan(500);
    expect(await page.page.evaluate('[log, folded.open, until.hidden]')).toEqual([['beforematch'], true, false]);
    await expect.poll(async () => (await page.last('find.page-shown'))?.['active']).toHaveLength(4);
    await page.end('clear');
    expect(await page.page.evaluate('[log.length, document.activeElement.id, getSelection().toString()]')).toEqual([
      1,
      'field',
      '',
    ]);
  });

  it('[R-100] [R-106] is selected when the search ends by keep, and its link focused by activate', async () => {
    const page = await open('<p>text one</p><a href="#there">the <b>link</b></a><textarea>a value</textarea>');
    const selection = (): Promise<unknown> =>
      page.page.evaluate('[getSelection().toString(), document.activeElement.localName]');
    await page.find('one');
    await page.show(0);
    expect(await page.end('keep')).toBe(false);
    expect(await selection()).toEqual(['one', 'body']);
    await page.find('link');
    await page.show(0);
    expect(await page.end('activate')).toBe(true);
    expect(await selection()).toEqual(['link', 'a']);
    await page.find('val');
    await page.show(0);
    expect(await page.end('activate')).toBe(false);
    expect(
      await page.page.evaluate('[document.activeElement.selectionStart, document.activeElement.selectionEnd]'),
    ).toEqual([2, 5]);
  });

  it('[R-106] is shown again by the same search after the end of one', async () => {
    const page = await open('<p>one two</p>');
    const shown = async (): Promise<number> => {
      await page.last('find.page-shown');
      return page.messages.filter(([name]) => name === 'find.page-shown').length;
    };
    await page.find('two');
    await expect.poll(shown).toBe(1);
    await page.end('clear');
    await page.find('two');
    await expect.poll(shown).toBe(2);
  });

  it('is the first one from the selection, from the one before, or else in view', async () => {
    const page = await open('<p>ab ab</p><p style="margin-top:3000px" id=low>ab abc</p>');
    expect(await page.find('ab')).toMatchObject({ count: 4, first: 0 });
    await page.page.evaluate('scrollTo(0, 3000)');
    expect(await page.find('ab')).toMatchObject({ first: 2 });
    await page.show(3);
    expect(await page.find('abc')).toMatchObject({ count: 1, first: 0 });
    expect(await page.find('a')).toMatchObject({ count: 4, first: 3 });
    await page.end('clear');
    await page.page.evaluate('getSelection().setBaseAndExtent(low.firstChild, 3, low.firstChild, 3)');
    expect(await page.find('ab')).toMatchObject({ first: 3 });
  });
});

it('follows a page that changes, at a share of its time', async () => {
  const page = await open('<p id=one>word</p><p id=two>word</p><p id=field></p>');
  await page.find('word');
  await page.show(1);
  const counts = async (): Promise<unknown> => {
    const { count: found, active } = (await page.last('find.page-changed')) ?? {};
    return [found, active];
  };
  await page.page.evaluate(() =>
    document.body.prepend(Object.assign(document.createElement('p'), { textContent: 'word word' })),
  );
  await expect.poll(counts).toEqual([4, 3]);
  await page.page.evaluate('one.firstChild.data = "nothing"');
  await expect.poll(counts).toEqual([3, 2]);
  await page.page.evaluate('two.remove()');
  await expect.poll(counts).toEqual([2, 1]);
  await page.end('clear');
});

it('[R-013] hears shortcuts that the page has left to the browser, and no others', async () => {
  const page = await open(`<p>some text</p><input id=own><script>
    document.getElementById('own').addEventListener('keydown', (event) => { event.stopImmediatePropagation(); event.preventDefault(); });
    addEventListener('keydown', (event) => event.stopImmediatePropagation());</script>`);
  const { keyboard } = page.page;
  await page.page.evaluate('getSelection().selectAllChildren(document.querySelector("p"))');
  for (const key of ['Control+f', 'Control+g', 'Control+Shift+G', 'F3', 'Shift+F3', 'Meta+f'])
    await keyboard.press(key);
  await page.page.locator('#own').focus();
  for (const key of ['Control+f', 'F3', 'f', 'Control+Alt+f']) await keyboard.press(key);
  await page.page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F3', bubbles: true })),
  );
  await page.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await keyboard.press('Control+g'); // comes after any of the others
  const asked = async (): Promise<unknown[]> => {
    await page.read();
    return page.messages.filter(([name]) => name === 'find.page-asked').map(([, { kind, text }]) => [kind, text]);
  };
  await expect.poll(asked).toEqual([
    ['new', 'some text'],
    ['next', ''],
    ['prev', ''],
    ['next', ''],
    ['prev', ''],
    ['new', 'some text'],
    ['next', ''],
  ]);
});

describe('a hostile page', () => {
  it.each([
    ['the same letter', 'a'.repeat(240_000), `${'a'.repeat(200)}b`],
    ['folded to many', 'ﷺ'.repeat(20_000), 'صلى'],
    ['marks', 'a\u0301'.repeat(30_000), 'a\u0301'],
    ['words', 'a'.repeat(120_000), 'a'],
    ['elements', '<b>x</b> '.repeat(8_000), 'x x'],
    ['depth', `${'<div>'.repeat(8_000)}x`, 'x'],
  ])('costs what its text costs: %s', async (_name, body, text) => {
    const page = await open('<p></p>');
    /** Processor time of a search, in ms, which reads the page anew. */
    const cost = async (times: number): Promise<number> => {
      // The layout is not its cost.
      await page.page.evaluate((html) => {
        document.body.innerHTML = html;
        return document.body.offsetHeight;
      }, body.repeat(times));
      const before = await page.processorMs();
      await page.find(text, { wholeWords: text === 'a' });
      const ms = (await page.processorMs()) - before;
      await page.end('clear'); // it does not search again when the page changes
      return ms;
    };
    // Linear time costs four times as much, and quadratic time sixteen times.
    expect(await costGrowth(cost, 9, [1, 4])).toBeLessThan(9);
    await page.page.close();
  });

  it('has a bounded part of its text searched, and says so', async () => {
    const page = await open('<p></p>');
    await page.page.evaluate(() => {
      // Not laid out, as that takes its time.
      document.body.innerHTML =
        '<p>needle</p><div style="margin-top:9000px;content-visibility:auto"></div><p>needle</p>';
      document.querySelector('div')!.textContent = 'x'.repeat(8 * 1024 * 1024);
    });
    expect(await page.find('needle')).toMatchObject({ count: 1, isCut: true });
    await page.page.close();
  });
});
