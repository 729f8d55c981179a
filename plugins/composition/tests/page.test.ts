import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlePage } from '../../../core/testing/page-bundle.ts';
import { openBrowser } from '../../../core/testing/script-page.ts';
import type { TestBrowser } from '../../../core/testing/script-page.ts';
import type { Patch } from '../protocol.ts';

/** Takes the page half's answers; the test reaches it in the page's own world. */
const BINDING = `globalThis.answers = []; globalThis.vitrineSend = (json) => {
  const [name, params] = JSON.parse(json);
  if (name === 0) answers.pop()?.(params.slice(1));
};`;
const PATCH: Patch = { at: 3, before: 'aw ', old: 'teh', text: 'them', after: ' cat' };

let browser: TestBrowser;
let bundle: string;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([openBrowser(), bundlePage('composition')]);
});
afterAll(() => browser.close());

/** Opens a page whose field has the focus, with the caret or selection at these offsets of its text. */
async function open(html: string, [anchor, focus]: readonly [number, number]): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(`if (window === window.top) {${BINDING}${bundle}}`);
  await page.route('**/*', (route) => route.fulfill({ body: `<!doctype html>${html}`, contentType: 'text/html' }));
  await page.goto('http://page.test/');
  await page.evaluate(
    ([from, to]) => {
      const field = document.querySelector<HTMLElement>('#field')!; // each page has one
      field.focus();
      if (field instanceof HTMLInputElement)
        field.setSelectionRange(Math.min(from, to), Math.max(from, to), from > to ? 'backward' : 'forward');
      else {
        const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
        const text = texts.nextNode()!; // each has one
        getSelection()!.setBaseAndExtent(text, from, text, to);
      }
    },
    [anchor, focus] as const,
  );
  return page;
}

/** Calls the page half. */
async function call(page: Page, name: string, params: unknown): Promise<unknown> {
  const [isDone, value] = await page.evaluate(
    (message) =>
      new Promise<[boolean, unknown]>((resolve) => {
        const world = globalThis as unknown as {
          vitrinePage: { receive(json: string): void };
          answers: ((answer: [boolean, unknown]) => void)[];
        };
        world.answers.push(resolve);
        world.vitrinePage.receive(message);
      }),
    JSON.stringify([name, params, 1]),
  );
  if (!isDone) throw new Error(JSON.stringify(value));
  return value;
}

/** Has the page half select what a patch replaces in the field. Answers with how far on it was. */
async function select(page: Page, patch = PATCH, epochAway = 0): Promise<number | null> {
  const id = await page.evaluate(() => {
    const world = globalThis as unknown as { vitrinePage: { idOf(node: unknown): [number, number] | null } };
    return world.vitrinePage.idOf(document.querySelector('#field'));
  });
  const [epoch, node] = id ?? [0, 0];
  const target = { frame: 1, epoch: epoch + epochAway, node, x: 0, y: 0 };
  const answer = (await call(page, 'composition.page-patch', { target, patch, shift: 0 })) as { shift: number | null };
  return answer.shift;
}

/** Types over the selection, and has the page half put the caret back. Answers with the selected text, then what is around the caret. */
async function type(page: Page): Promise<readonly [selected: string, around: string]> {
  const selected = await page.evaluate(() => getSelection()!.toString()); // pages have one
  const session = await page.context().newCDPSession(page);
  await session.send('Input.insertText', { text: PATCH.text });
  await call(page, 'composition.page-caret', null);
  const around = await page.evaluate(() => {
    const field = document.querySelector<HTMLElement>('#field')!; // each page has one
    if (field instanceof HTMLInputElement) {
      const { value, selectionStart, selectionEnd, selectionDirection } = field;
      const [start, end] = [selectionStart ?? 0, selectionEnd ?? 0];
      const [open, close] = selectionDirection === 'backward' ? ['<', '>'] : ['[', ']'];
      return value.slice(0, start) + open + value.slice(start, end) + close + value.slice(end);
    }
    const { focusNode, focusOffset } = getSelection()!; // pages have one
    const text = focusNode?.textContent ?? '';
    return `${text.slice(0, focusOffset)}[]${text.slice(focusOffset)} in ${field.textContent}`;
  });
  return [selected, around];
}

const INPUT = '<input id="field" value="Well, I saw teh cat">';

it('[M-078] selects a word of a control, and puts the caret to where it was in the text', async () => {
  for (const [caret, around] of [
    [[0, 0], '[]Well, I saw them cat'],
    [[19, 19], 'Well, I saw them cat[]'],
    [[19, 16], 'Well, I saw them <cat>'],
    [[13, 13], 'Well, I saw them[] cat'],
    [[0, 13], '[Well, I saw them] cat'],
  ] as const) {
    const page = await open(INPUT, caret);
    expect(await select(page)).toBe(6);
    expect(await type(page)).toEqual(['teh', around]);
    await page.close();
  }
});

it('[M-078] selects a word of rich text, over elements and with what has no text in between', async () => {
  const html = '<div id="field" contenteditable><p>Well, I saw t<b>e</b>h<style>p{}</style> cat</p><p>more</p></div>';
  const page = await open(html, [2, 2]);
  expect(await select(page)).toBe(6);
  const [selected, around] = await type(page);
  expect(selected).toBe('teh');
  expect(around).toMatch(/^We\[\]ll, I saw t.* in Well, I saw them/);
});

it('leaves the caret where the page puts it when it gets the text', async () => {
  const page = await open(`${INPUT}<script>field.oninput = () => field.setSelectionRange(1, 1);</script>`, [19, 19]);
  await select(page);
  expect(await type(page)).toEqual(['teh', 'W[]ell, I saw them cat']);
});

it('[C1] finds nothing in password fields, in fields that cannot be edited or have lost the focus, and in another document', async () => {
  for (const html of [
    '<input id="field" type="password" value="I saw teh cat">',
    '<input id="field" readonly value="I saw teh cat">',
    '<p id="field" tabindex="0">I saw teh cat</p>',
  ]) {
    const page = await open(html, [1, 1]);
    expect(await select(page)).toBeNull();
    await page.close();
  }
  const page = await open(`${INPUT}<input>`, [1, 1]);
  expect(await select(page, PATCH, 1)).toBeNull();
  expect(await select(page, { ...PATCH, old: 'tea' })).toBeNull();
  await page.locator('input').last().focus();
  expect(await select(page)).toBeNull();
});
