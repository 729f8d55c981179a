import type { CDPSession, Locator, Page } from 'playwright/test';
import { Shaper } from '../faults/shaper.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test as base, view } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';

/** A page that says what its field has and what it hears, and that puts text in front when somebody presses Shift. */
const pageOf = (field: string, onShift = 'put("Well, " + get());'): string => `<!doctype html><meta charset="utf-8">
  <style>body{margin:8px;font:16px sans-serif}</style>${field}<output></output><script>
    const field = document.querySelector('input, textarea, [contenteditable]');
    const text = field.firstChild?.firstChild ?? field.firstChild;
    const get = () => field.value ?? text.data;
    const put = (all) => { if ('value' in field) field.value = all; else text.insertData(0, all.slice(0, all.length - text.data.length)); };
    const heard = [];
    const caret = () => ('value' in field ? field.selectionStart : getSelection().focusOffset) - get().length;
    const say = () => { document.querySelector('output').textContent = [get(), caret(), ...heard].join('|'); };
    addEventListener('keydown', ({ key }) => { if (key === 'Shift') { ${onShift} say(); } });
    addEventListener('input', ({ inputType, data }) => { heard.push(inputType + ' ' + data); });
    document.addEventListener('selectionchange', say);
    field.addEventListener('selectionchange', say);
  </script>`;

/** By which text is put in. It is there before anything is selected: the view reports a selection some time after the last key. */
let session: CDPSession;

const test = base.extend<{ readonly link: Shaper; readonly edit: (html: string) => Promise<Locator> }>({
  link: async ({ vitrine }, use) => {
    const link = await Shaper.start(Number(new URL(vitrine).port));
    await use(link);
    await link.close();
  },
  /** Opens a page, and puts the caret at the end of its field. */
  edit: async ({ link, page, site }, use) => {
    await use(async (html) => {
      site.on('/edit', html);
      await page.goto(`${link.origin}/${site.origin}/edit`);
      await shown(page);
      const field = view(page).locator('input, textarea, [contenteditable]').first();
      await renameEdits(page);
      session = await page.context().newCDPSession(page);
      await field.click();
      await loaded(page, 'composition.make-patches');
      await page.keyboard.press('End');
      await expect(view(page).locator('output')).toHaveText(/\|0$/);
      return field;
    });
  },
});

/** The shell's window, with the name that the next edit gets, and all that the browser fills in with it. */
type Renaming = Window & {
  renamed?: { readonly type: string; readonly text: string; readonly filled: string | undefined } | undefined;
};

/**
 * Renames edits before the client hears of them. No test can open the menu of corrections: what it does is had by text of an input
 * method, which makes the same trusted events by another name. All of it is script of the shell, as none runs in the frame.
 */
async function renameEdits(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]');
    const rename = (event: Event): void => {
      const { renamed } = window as Renaming;
      if (!renamed) return;
      Object.defineProperty(event, 'inputType', { value: renamed.type });
      if (event.type === 'input' && renamed.filled) (event.target as HTMLInputElement).value = renamed.filled;
      const [element] = event.composedPath() as [Element]; // input events come from elements
      if ('value' in element || renamed.type !== 'insertReplacementText') return;
      // Rich text has the text of a replacement elsewhere.
      const transfer = new DataTransfer();
      transfer.setData('text/plain', renamed.text);
      Object.defineProperties(event, { data: { value: null }, dataTransfer: { value: transfer } });
    };
    for (const name of ['beforeinput', 'input']) frame?.contentWindow?.addEventListener(name, rename, true);
  });
}

/** An edit: the part of the field, the text in its place, the type of its events, and what else the browser fills in. */
type Edit = readonly [from: number, to: number, by: string, inputType: string, filled?: string];

/** Has the browser replace a part of the field that it has selected, as it does to correct a word. */
async function replace(page: Page, [from, to, by, inputType, filled]: Edit): Promise<void> {
  await page.evaluate(
    ([start, end, text, type, all]) => {
      const inner = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
      const field = inner?.activeElement;
      if (!inner || !field) throw new Error('nothing has the focus');
      if ('value' in field) (field as HTMLInputElement).setSelectionRange(start, end);
      else {
        const node = field.querySelector('p')?.firstChild ?? field;
        inner.getSelection()?.setBaseAndExtent(node, start, node, end);
      }
      (window as Renaming).renamed = { type, text, filled: all };
    },
    [from, to, by, inputType, filled] as const,
  );
  await session.send('Input.insertText', { text: by });
  await page.evaluate(() => {
    (window as Renaming).renamed = undefined;
  });
}

/** The text of the field as the person sees it now. */
const seen = (field: Locator): Promise<string> =>
  field.evaluate((element) => ('value' in element ? String(element.value) : element.textContent));
const said = (page: Page): Locator => view(page).locator('output');

const FIELDS = [
  ['an input', '<input size="60" value="I saw teh cat">'],
  ['a text area', '<textarea cols="60">I saw teh cat</textarea>'],
  ['rich text', '<div contenteditable><p>I saw teh cat</p></div>'],
] as const;

for (const [name, html] of FIELDS)
  for (const inputType of ['insertReplacementText', 'insertText'])
    test(
      `[M-078] [M-107] [S-161] replaces the right word of ${name} by ${inputType}, where the page has put text in front meanwhile`,
      tagged(inputType === 'insertText'),
      async ({ page, edit, link }) => {
        const field = await edit(pageOf(html));
        link.stall('down', true); // the person does not see what the page has put in
        await page.keyboard.press('Shift');
        await replace(page, [6, 9, 'the', inputType]);
        expect(await seen(field)).toBe('I saw the cat');
        link.stall('down', false);
        await expect(said(page)).toHaveText('Well, I saw the cat|0|insertText the');
        await expect.poll(() => seen(field)).toBe('Well, I saw the cat');
        await page.keyboard.type('s');
        await expect(said(page)).toHaveText('Well, I saw the cats|0|insertText the|insertText s');
      },
    );

test('[M-078] changes nothing where the page does not have the word any more, and shows what it has', async ({
  page,
  edit,
  link,
}) => {
  const [, [, html]] = FIELDS;
  const field = await edit(pageOf(html, 'put("nothing like it");'));
  link.stall('down', true);
  await page.keyboard.press('Shift');
  await replace(page, [6, 9, 'the', 'insertReplacementText']);
  expect(await seen(field)).toBe('I saw the cat');
  link.stall('down', false);
  await expect(said(page)).toHaveText('nothing like it|0');
  await expect.poll(() => seen(field)).toBe('nothing like it');
  await page.keyboard.type('!');
  await expect(said(page)).toHaveText('nothing like it!|0|insertText !');
});

test('[C1] sends nothing where all of a field is replaced, as browsers do with what they keep for it', async ({
  page,
  edit,
}) => {
  const [[, html]] = FIELDS;
  const field = await edit(pageOf(html));
  await page.keyboard.press('Control'); // just after a key the view reports no selection of its own
  await replace(page, [0, 'I saw teh cat'.length, 'kept@for.test', 'insertReplacementText']);
  await expect.poll(() => seen(field)).toBe('I saw teh cat');
  await page.keyboard.type('s');
  await expect(said(page)).toHaveText('I saw teh cats|0|insertText s');
});

test('[C1] sends nothing where a field gets another text than the edit says', async ({ page, edit }) => {
  const [[, html]] = FIELDS;
  const field = await edit(pageOf(html));
  await page.keyboard.press('Control'); // just after a key the view reports no selection of its own
  // As a browser that takes the whole field for what is to be replaced.
  await replace(page, [6, 9, 'kept', 'insertReplacementText', 'kept']);
  await expect.poll(() => seen(field)).toBe('I saw teh cat');
  await page.keyboard.type('s');
  await expect(said(page)).toHaveText('I saw teh cats|0|insertText s');
});

test('[C1] sends nothing that is replaced in a password field', async ({ page, edit }) => {
  const secret = await edit(pageOf('<input type="password" value="hunter2">'));
  await page.keyboard.press('Control'); // just after a key the view reports no selection of its own
  await replace(page, [1, 3, 'kept', 'insertReplacementText']);
  await page.keyboard.type('s');
  await expect(said(page)).toHaveText('hunter2s|0|insertText s');
  await expect.poll(() => seen(secret)).toBe('••••••••');
});
