import type { FrameLocator, Page } from 'playwright/test';
import { after, DEAD_KEYS, InputMethod, KOREAN, textIn } from './support/input-method.ts';
import type { Script } from './support/input-method.ts';
import { loaded } from './support/loaded.ts';
import { expect, test } from './support/vitrine.ts';
import { tagged } from '../../core/testing/tier.ts';

/** A page that writes down what it hears while somebody types into a field of it. */
const PAGE = `<!doctype html><meta charset="utf-8"><input id="line" value="ab"><textarea id="area"></textarea>
<div contenteditable id="rich" style="min-height:40px">xy</div><div contenteditable id="blank" style="min-height:40px"></div>
<input id="secret" type="password"><input id="upper"><button>elsewhere</button><output style="white-space:pre"></output>
<script>
  const log = [];
  const out = document.querySelector('output');
  for (const type of ['keydown', 'keyup', 'mousedown', 'compositionstart', 'compositionupdate', 'compositionend', 'beforeinput', 'input'])
    document.addEventListener(type, (event) => {
      const { key, keyCode, inputType, data, isComposing, target } = event;
      const place = 'value' in target ? [target.value, target.selectionStart, target.selectionEnd] : [target.textContent];
      log.push([type, key, keyCode, inputType, data, isComposing, ...(target.id === 'secret' ? [] : place)].join(' '));
      out.textContent = log.join('\\n');
    });
  document.querySelector('#upper').addEventListener('input', ({ target }) => { target.value = target.value.toUpperCase(); });
</script>`;

/** Input methods of several scripts, step by step. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'Japanese, with a choice of clauses': async (method) => {
    await method.down('KeyN');
    await method.compose('n');
    await method.up('KeyN', 'n', 78);
    await method.down('KeyI');
    await method.compose('に');
    await method.up('KeyI', 'i', 73);
    await method.compose('にほんご');
    await method.compose('日本語', 0, 2);
    await method.compose('二本語', 0, 2);
    await method.down('Enter');
    await method.type('日本語');
    await method.up('Enter', 'Enter', 13);
  },
  'Chinese, of which a part stays as typed': async (method) => {
    await method.compose("ni'hao");
    await method.compose('你hao', 1);
    await method.type('你好');
    await method.compose('sh');
    await method.type('是');
    await method.type('。');
  },
  'Korean, where a syllable ends as the next one begins': KOREAN,
  'Vietnamese, which takes back what it has typed': async (method) => {
    await method.compose('Vie');
    await method.compose('Viê');
    await method.compose('Việ');
    await method.type('Việt');
    await method.type(' ');
  },
  'Hindi, with signs that join': async (method) => {
    for (const text of ['न', 'नम', 'नमस्', 'नमस्ते']) await method.compose(text);
    await method.type('नमस्ते');
  },
  'words of a keyboard on a screen, one of which is taken back': async (method) => {
    for (const text of ['h', 'he', 'hel']) await method.compose(text);
    await method.compose('he');
    await method.type('hello');
    await method.compose('x');
    await method.compose('');
    await method.type(' ');
  },
  'dead keys, emoji and dictation, which do not compose': async (method) => {
    await method.down('BracketLeft');
    await method.type('ê');
    await method.up('KeyE', 'e', 69);
    await method.type('👩‍👩‍👧');
    await method.type('a whole dictated sentence. ');
  },
};

const CONVERT: Script = async (method) => {
  await method.compose('に');
  await method.type('日本');
  await method.compose('二本', 2, 2, [1, 3]);
  await method.type('にほん');
};

/** Opens the page directly, in the same browser, and has somebody type there. */
async function directly(page: Page, address: string, field: string, script: Script): Promise<string> {
  const direct = await page.context().newPage();
  await direct.goto(address);
  await direct.locator(field).click();
  await direct.keyboard.press('Shift');
  await play(direct, script);
  const log = await direct.locator('output').textContent();
  await direct.close();
  return log ?? '';
}

async function play(page: Page, script: Script): Promise<void> {
  await script(await InputMethod.of(page));
}

/** Fields of the pages, and the text that they have. */
const FIELDS = [
  ['#blank', ''],
  ['#rich', 'xy'],
  ['#line', 'ab'],
] as const;

const output = (frame: FrameLocator) => frame.locator('output');

/** Presses a field, and waits until the view has the focus there, and all that follows typing. */
async function enter(page: Page, frame: FrameLocator, field: string): Promise<void> {
  await frame.locator(field).click();
  await expect(frame.locator(`${field}:focus`)).toBeVisible();
  await loaded(page, 'composition.follow');
  await loaded(page, 'local-echo.start');
}

/** Waits until the view has the focus and the caret of a press: what the page writes down of a key comes after them. */
async function caretIsThere(page: Page, frame: FrameLocator): Promise<void> {
  await page.keyboard.press('Shift');
  await expect(output(frame)).toHaveText(/keyup Shift [^\n]*$/);
}

/** A page that takes some time with each press, in ms: it has no focus and no caret in a field until then. */
const SLOW = (ms: number): string => `<!doctype html><meta charset="utf-8"><input id="line" value="ab">
<div contenteditable id="rich" style="min-height:40px">xy</div><div contenteditable id="blank" style="min-height:40px"></div>
<input id="other"><output></output>
<script>
  document.addEventListener('mousedown', ({ target }) => {
    for (const end = performance.now() + (target.id === 'other' ? 0 : ${ms}); performance.now() < end;);
  });
  document.addEventListener('input', ({ target }) => { document.querySelector('output').textContent = target.value ?? target.textContent; });
</script>`;

/** Longest time for which the view holds a field after a composition, in ms: until nothing follows, and until the page should have answered. */
const HELD_MS = 1200;

test.beforeEach(({ site }) => site.on('/compose', PAGE));

/** Cases of the short run. */
const IN_SHORT = /^(?:Japanese|Korean|dead keys)/;

for (const [name, script] of Object.entries(SCRIPTS))
  test(
    `[R-047] [R-102] brings to the page what it would hear directly: ${name}`,
    tagged(!IN_SHORT.test(name)),
    async ({ page, site, open }) => {
      for (const field of ['#line', '#rich']) {
        const frame = await open('/compose');
        const log = await directly(page, `${site.origin}/compose`, field, script);
        await page.bringToFront();
        await enter(page, frame, field);
        await caretIsThere(page, frame);
        await play(page, script);
        await expect(output(frame)).toHaveText(log);
      }
    },
  );

test('[R-047] tells the page what a composition takes the place of', async ({ page, site, open }) => {
  const frame = await open('/compose');
  const log = await directly(page, `${site.origin}/compose`, '#line', CONVERT);
  await page.bringToFront();
  await enter(page, frame, '#line');
  await caretIsThere(page, frame);
  await play(page, CONVERT);
  await expect(output(frame)).toHaveText(log);
});

test('shows what is composed where it is composed, and then what the page makes of it', async ({ page, open }) => {
  const frame = await open('/compose');
  const method = await InputMethod.of(page);
  for (const [field, before] of FIELDS) {
    await enter(page, frame, field);
    await caretIsThere(page, frame);
    const shown = (): Promise<string> =>
      frame.locator(field).evaluate((element: HTMLInputElement) => element.value || element.innerText);
    await method.compose('に');
    await method.compose('にほん');
    await expect.poll(shown).toBe(`${before}にほん`);
    await expect(output(frame)).toHaveText(new RegExp(`${before}にほん( \\d+ \\d+)?$`));
    expect(await shown()).toBe(`${before}にほん`);
    await method.type('日本');
    await expect(output(frame)).toHaveText(new RegExp(`compositionend +日本 +${before}日本[^\\n]*$`));
    await expect.poll(shown).toBe(`${before}日本`);
    await after(page, HELD_MS);
    expect(await shown()).toBe(`${before}日本`);
  }
});

test('shows what is inserted in place of a composition while the next one is under way', async ({ page, open }) => {
  const frame = await open('/compose');
  const method = await InputMethod.of(page);
  for (const [field, before] of FIELDS) {
    await enter(page, frame, field);
    await caretIsThere(page, frame);
    await method.compose('한');
    await method.compose('');
    await method.type('한');
    await method.compose('그');
    await method.compose('글');
    await expect.poll(() => textIn(frame, field)).toBe(`${before}한글`);
    await expect(output(frame)).toHaveText(new RegExp(` ${before}한글[\\d ]*$`));
    expect(await textIn(frame, field)).toBe(`${before}한글`);
    await method.type('글');
    await page.keyboard.type('ok');
    await expect(output(frame)).toHaveText(new RegExp(` ${before}한글ok[\\d ]*$`));
    await expect.poll(() => textIn(frame, field)).toBe(`${before}한글ok`);
  }
});

test('shows what is inserted where there is no text yet, with what is composed right after it', async ({
  page,
  open,
}) => {
  const frame = await open('/compose');
  const method = await InputMethod.of(page);
  await enter(page, frame, '#blank');
  await caretIsThere(page, frame);
  await method.type('한');
  await method.compose('그');
  await method.compose('글');
  await expect.poll(() => textIn(frame, '#blank')).toBe('한글');
  await expect(output(frame)).toHaveText(/ 한글[\d ]*$/);
  expect(await textIn(frame, '#blank')).toBe('한글');
  await method.type('글');
  await page.keyboard.type('ok');
  await expect.poll(() => textIn(frame, '#blank')).toBe('한글ok');
  await expect(output(frame)).toHaveText(/ 한글ok[\d ]*$/);
});

test('[R-047] ends a composition before a press, which comes after it', async ({ page, open }) => {
  const frame = await open('/compose');
  await enter(page, frame, '#line');
  const method = await InputMethod.of(page);
  await method.compose('に');
  await frame.locator('button').click();
  await expect(output(frame)).toHaveText(/compositionend +に +abに 3 3\nmousedown/);
  await after(page, HELD_MS);
  await expect(frame.locator('#line')).toHaveValue('abに');
});

test('leaves nothing twice where the page has another text or another field meanwhile', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/restless',
    `<!doctype html><meta charset="utf-8"><input id="upper"><input id="code"><input id="next"><output></output><script>
      upper.addEventListener('input', () => { upper.value = upper.value.toUpperCase(); });
      code.addEventListener('input', () => { if (code.value.length === 2) next.focus(); });
      document.addEventListener('input', () => { document.querySelector('output').textContent = [upper.value, code.value, next.value].join('|'); });
    </script>`,
  );
  const frame = await open('/restless');
  const method = await InputMethod.of(page);
  await enter(page, frame, '#upper');
  await method.compose('a');
  await expect(frame.locator('#upper')).toHaveValue('A');
  await enter(page, frame, '#code');
  await method.compose('x');
  await method.compose('xy');
  await expect(frame.locator('#next:focus')).toBeVisible();
  await after(page, HELD_MS);
  await expect(output(frame)).toHaveText('A|xy|');
  await expect(frame.locator('#code')).toHaveValue('xy');
  await expect(frame.locator('#next')).toHaveValue('');
});

test('types into a password field what was composed, and shows none of it', async ({ page, open }) => {
  const frame = await open('/compose');
  await enter(page, frame, '#secret');
  const method = await InputMethod.of(page);
  await method.compose('ge');
  await method.type('geheim');
  await expect(output(frame)).toHaveText(/input +insertText geheim false$/);
  await expect(frame.locator('#secret')).toHaveValue('••••••');
  expect(await output(frame).textContent()).not.toContain('composition');
});

for (const [name, script, text] of [
  ['dead keys', DEAD_KEYS, 'éê'],
  ['Korean', KOREAN, '한글'],
] as const) {
  test(`shows the page’s text once a composition has ended, also in rich text that was empty: ${name}`, async ({
    page,
    open,
  }) => {
    const frame = await open('/compose');
    for (const [field, before] of FIELDS) {
      await enter(page, frame, field);
      await caretIsThere(page, frame);
      await play(page, script);
      await expect(output(frame)).toHaveText(new RegExp(` ${before}${text}[\\d ]*$`));
      await expect.poll(() => textIn(frame, field)).toBe(`${before}${text}`);
      await page.keyboard.type('ok');
      await expect.poll(() => textIn(frame, field)).toBe(`${before}${text}ok`);
    }
  });

  // The first steps are there before the page's caret; some of them come with it.
  for (const [busyMs, stepMs] of [
    [30, 0],
    [30, 40],
    [120, 40],
  ] as const)
    test(
      `shows and sends once what is composed within ${busyMs} ms of a press, each step after ${stepMs} ms: ${name}`,
      tagged(busyMs === 30 && stepMs === 0),
      async ({ page, site, open }) => {
        site.on('/slow', SLOW(busyMs));
        const frame = await open('/slow');
        const method = await InputMethod.of(page, stepMs);
        for (const [field, before] of FIELDS) {
          await enter(page, frame, '#other');
          await frame.locator(field).click();
          await expect(frame.locator(`${field}:focus`)).toBeVisible();
          await script(method);
          await expect(output(frame)).toHaveText(`${before}${text}`);
          await after(page, HELD_MS);
          expect(await textIn(frame, field)).toBe(`${before}${text}`);
          await page.keyboard.type('ok');
          await expect(output(frame)).toHaveText(`${before}${text}ok`);
          await expect.poll(() => textIn(frame, field)).toBe(`${before}${text}ok`);
        }
      },
    );
}

test('composes at the caret of a press into the field that has the focus, before the page has put it there', async ({
  page,
  site,
  open,
}) => {
  site.on('/slow', SLOW(120));
  const frame = await open('/slow');
  const method = await InputMethod.of(page);
  for (const [field, text] of [
    ['#line', 'ab'],
    ['#rich', 'xy'],
  ] as const) {
    await enter(page, frame, field);
    await page.keyboard.type('.');
    await expect(output(frame)).toHaveText(`${text}.`);
    await frame.locator(field).click({ position: { x: 2, y: 8 } });
    await DEAD_KEYS(method);
    await expect(output(frame)).toHaveText(`éê${text}.`);
    await expect.poll(() => textIn(frame, field)).toBe(`éê${text}.`);
  }
});
