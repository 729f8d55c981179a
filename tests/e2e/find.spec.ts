import type { FrameLocator, Locator, Page } from 'playwright/test';
import { expect, test, view } from './support/vitrine.ts';

const bar = (page: Page): Locator => page.getByRole('search', { name: 'Find in page' });
const field = (page: Page): Locator => bar(page).getByRole('textbox');
const counter = (page: Page): Locator => bar(page).locator('output');

/** Texts that the view marks: all, and the active one. */
async function marked(page: Page): Promise<{ all: string[]; active: string[] }> {
  return page.evaluate(() => {
    const found: { all: string[]; active: string[] } = { all: [], active: [] };
    const look = (window: Window & typeof globalThis): void => {
      for (const [name, highlight] of window.CSS.highlights) {
        const texts = [...highlight].map((range) => (range as Range).toString());
        found.all.push(...texts);
        if (name.length > 37) found.active.push(...texts);
      }
      for (const frame of window.document.querySelectorAll('iframe'))
        if (frame.contentWindow && frame.dataset['vitrineFrame'] !== undefined)
          look(frame.contentWindow as Window & typeof globalThis); // of the same origin
    };
    look(window);
    return found;
  });
}

/** Opens the bar by its shortcut, as soon as the page half is there to hear it. */
async function openBar(page: Page): Promise<void> {
  await page.keyboard.press('Control+f');
  await expect(field(page)).toBeFocused();
}

async function search(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
}

const PAGE = `<!doctype html><title>Find</title><style>#sealed { user-select: none }</style>
<h1>A needle, first</h1><p>a <b>nee</b>dle across elements, and <a href="#went" onclick="event.preventDefault(); said.textContent += 'pressed ' + event.isTrusted">the linked needle</a></p>
<div id="sealed"></div><input id="own" value="a needle in a field"><p id="said"></p><div style="height: 4000px"></div><p id="low">the lowest needle</p>
<iframe src="/inner" width="400" height="200"></iframe><script>
  sealed.attachShadow({ mode: 'closed' }).innerHTML = '<p>a needle in a closed root</p>';
  const seen = (window.seen = []);
  for (const type of ['focusin', 'focusout', 'selectionchange']) document.addEventListener(type, () => seen.push(type));
  new MutationObserver((records) => seen.push(...records.map(({ type }) => type))).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  own.addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'f') { event.preventDefault(); said.textContent += 'own search '; } });
</script>`;
const INNER = '<!doctype html><div style="height: 1500px"></div><p>an inner needle</p>';

async function open(
  page: Page,
  site: { on(path: string, body: string): void },
  opened: (path: string) => Promise<FrameLocator>,
) {
  site.on('/find', PAGE);
  site.on('/inner', INNER);
  const frame = await opened('/find');
  await expect(view(page).frameLocator('iframe').getByText('an inner needle')).toBeAttached();
  return frame;
}

test('[R-012] [R-013] [R-049] [R-100] [R-106] the bar finds in all frames and roots, goes round by its keys, and keeps the match', async ({
  page,
  site,
  open: opened,
}) => {
  const frame = await open(page, site, opened);
  await frame.locator('h1').click({ position: { x: 1, y: 5 } }); // the search begins at the caret
  await expect(bar(page)).toHaveCount(0);
  await openBar(page);
  await search(page, 'NEEDLE');
  await expect(counter(page)).toHaveText('1/7');
  await expect(bar(page).getByRole('status')).toHaveText('Match 1 of 7');
  const counts = async (): Promise<unknown> => {
    const { all, active } = await marked(page);
    return [all.length, active];
  };
  await expect.poll(counts).toEqual([6, ['needle']]); // the one in the field is drawn
  await expect(page.locator('#vitrine-matches > div')).toHaveCount(1);

  for (const at of [2, 3, 4, 5]) {
    await field(page).press('Enter');
    await expect(counter(page)).toHaveText(`${at}/7`);
  }
  await field(page).press('Control+g');
  await expect(counter(page)).toHaveText('6/7');
  await expect(frame.locator('#low')).toBeInViewport();
  await bar(page).getByRole('button', { name: 'Next match' }).click();
  await expect(counter(page)).toHaveText('7/7');
  await expect(frame.frameLocator('iframe').getByText('an inner needle')).toBeInViewport();
  await field(page).press('F3');
  await expect(counter(page)).toHaveText('1/7');
  await expect(frame.locator('h1')).toBeInViewport();
  await field(page).press('Shift+Enter');
  await expect(counter(page)).toHaveText('7/7');
  await bar(page).getByRole('button', { name: 'Previous match' }).click();
  await expect(counter(page)).toHaveText('6/7');

  // An emptied field ends the search; the bar stays.
  await search(page, '');
  await expect(counter(page)).toHaveText('');
  await expect.poll(() => marked(page)).toEqual({ all: [], active: [] });

  // Options.
  await search(page, 'A needle');
  await expect(counter(page)).toHaveText(/^\d\/4$/);
  await bar(page).getByRole('button', { name: 'Match case' }).click();
  await expect(counter(page)).toHaveText('1/1');
  await bar(page).getByRole('button', { name: 'Match case' }).click();
  await search(page, 'eedle');
  await bar(page).getByRole('button', { name: 'Whole words' }).click();
  await expect(counter(page)).toHaveText('0/0');
  await expect(bar(page).getByRole('status')).toHaveText('No matches');
  await bar(page).getByRole('button', { name: 'Whole words' }).click();

  // Escape closes the bar; the match stays selected, in the page and in the view.
  await search(page, 'lowest');
  await expect(counter(page)).toHaveText('1/1');
  await field(page).press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect
    .poll(() => frame.locator('#low').evaluate((low) => String(low.ownerDocument.getSelection())))
    .toBe('lowest');
  await expect.poll(() => marked(page)).toEqual({ all: [], active: [] });
  await page.keyboard.press('F3'); // goes on with the text of the last search
  await expect(counter(page)).toHaveText('1/1');
  await bar(page).getByRole('button', { name: 'Close the find bar' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('[R-013] the page’s own search comes first, and Ctrl+Enter presses the link of the match', async ({
  page,
  site,
  open: opened,
}) => {
  const frame = await open(page, site, opened);
  await frame.locator('#own').click();
  await page.keyboard.press('Control+f');
  await expect(frame.locator('#said')).toHaveText('own search');
  await expect(bar(page)).toHaveCount(0);
  await frame.locator('h1').click({ position: { x: 1, y: 5 } }); // the search begins at the caret
  await openBar(page);
  await search(page, 'linked');
  await expect(counter(page)).toHaveText('1/1');
  await field(page).press('Control+Enter');
  await expect(frame.locator('#said')).toHaveText('own search pressed true');
  await expect(bar(page)).toHaveCount(0);
});

test('follows a page that changes, a new page too, and finds German, Turkish and Arabic as people type it', async ({
  page,
  site,
  open: opened,
}) => {
  site.on(
    '/live',
    `<!doctype html><p id="text">Straße, İSTANBUL, مُحَمَّد</p><a href="/next">next</a><script>
    onkeydown = (event) => { if (event.key === 'x') text.append(' strasse'); };</script>`,
  );
  site.on('/next', '<!doctype html><h1>strasse</h1>');
  const frame = await opened('/live');
  await frame.locator('#text').click();
  await openBar(page);
  for (const text of ['istanbul', 'محمد', 'STRASSE']) {
    await search(page, '');
    await expect(counter(page)).toHaveText('');
    await search(page, text);
    await expect(counter(page)).toHaveText('1/1');
  }
  await frame.locator('#text').click();
  await page.keyboard.press('x');
  await expect(counter(page)).toHaveText('1/2');
  await frame.getByRole('link').click();
  await expect(frame.locator('h1')).toHaveText('strasse');
  await expect(counter(page)).toHaveText('0/1');
  await field(page).press('Enter');
  await expect(counter(page)).toHaveText('1/1');
});

test('a megabyte of text is searched, to its end', async ({ page, site, open: opened }) => {
  const paragraph = `<p>${'lorem ipsum dolor sit amet '.repeat(40)}</p>`;
  site.on(
    '/large',
    `${PAGE.replace('<iframe src="/inner" width="400" height="200"></iframe>', '')}${paragraph.repeat(1000)}<p>the very last haystack</p>`,
  );
  const frame = await opened('/large');
  await frame.locator('h1').click({ position: { x: 1, y: 5 } }); // the search begins at the caret
  await openBar(page);
  await search(page, 'ipsum');
  await expect(counter(page)).toHaveText('1/40000');
  await search(page, 'last haystack');
  await expect(counter(page)).toHaveText('1/1');
  await expect(frame.getByText('the very last haystack')).toBeInViewport();
  await expect.poll(async () => (await marked(page)).active).toEqual(['last haystack']);
});
