import type { FrameLocator } from 'playwright/test';
import { PNG } from 'pngjs';
import { loaded } from './support/loaded.ts';
import { expect, test as base } from './support/vitrine.ts';

const test = base.extend({
  open: async ({ open, page }, use) => {
    await use(async (path) => {
      const frame = await open(path);
      await loaded(page, 'selection'); // it hears of no selection that was made before
      return frame;
    });
  },
});

/** A page that says what is selected in it. */
const PAGE = `<!doctype html><meta charset="utf-8"><p id="text">one <b>two</b> three</p><p id="more">four five six</p>
<input id="line" value="a line of text"><textarea id="area">some more text</textarea><div id="host"></div>
<div id="rich" contenteditable>rich text</div><output></output>
<script>
  const root = document.querySelector('#host').attachShadow({ mode: 'closed' });
  root.innerHTML = '<p>text in the shade</p>';
  let changes = 0;
  const show = () => {
    const { activeElement: active } = document;
    const selection = getSelection();
    const [range] = selection.getComposedRanges({ shadowRoots: [root] });
    const inField = active.localName === 'input' || active.localName === 'textarea';
    const text = inField ? active.value.slice(active.selectionStart, active.selectionEnd)
      : range?.startContainer.getRootNode() === root ? range.startContainer.data.slice(range.startOffset, range.endOffset) : selection.toString();
    document.querySelector('output').textContent = [inField ? active.id : '', selection.direction ?? '', '[' + text + ']', selection.rangeCount].join(' ');
    document.title = String(changes += 1);
  };
  document.addEventListener('selectionchange', show);
</script>`;

/** Time after the last key or press in which the view reports no selection of its own, in ms: 2.1 s, and some frames. */
const OWN_MS = 2300;

const said = (frame: FrameLocator) => frame.locator('output');

test.beforeEach(({ site }) => site.on('/select', PAGE));

/** Selects in the view without keys or a press, as handles of a touch screen, menus and assistive technology do. */
async function select(frame: FrameLocator, from: string, start: number, to: string, end: number): Promise<void> {
  await frame.locator('body').evaluate(
    (body, [first, startOffset, last, endOffset]) => {
      const text = (selector: string) => body.querySelector(selector)?.firstChild ?? body;
      body.ownerDocument.getSelection()?.setBaseAndExtent(text(first), startOffset, text(last), endOffset);
    },
    [from, start, to, end] as const,
  );
}

test('[S-044] selects in the page between two points, in either direction', async ({ open }) => {
  const frame = await open('/select');
  await select(frame, '#text', 1, '#more', 4);
  await expect(said(frame)).toHaveText(' forward [ne two three four] 1', { useInnerText: false });
  await select(frame, '#more', 9, '#text b', 1);
  await expect(said(frame)).toHaveText(' backward [wo three four five] 1');
});

test('[S-044] selects in fields of the page, all of it or a part', async ({ open }) => {
  const frame = await open('/select');
  for (const id of ['line', 'area']) {
    await frame.locator(`#${id}`).click();
    await expect(said(frame)).toHaveText(new RegExp(`^${id}`));
    await frame.locator(`#${id}`).evaluate((field: HTMLInputElement) => field.setSelectionRange(2, 6));
    const text = id === 'line' ? 'line' : 'me m';
    await expect(said(frame)).toHaveText(new RegExp(`\\[${text}\\]`));
    await frame.locator(`#${id}`).evaluate((field: HTMLInputElement) => field.select());
    await expect(said(frame)).toHaveText(id === 'line' ? /\[a line of text\]/ : /\[some more text\]/);
  }
});

test('a person who selects for the first time, slowly, by the mouse selects in the page, and drags nothing', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/slow',
    `<!doctype html><p style="font: 20px monospace">one two three four five</p><output></output><script>
      const heard = [];
      for (const type of ['mousedown', 'selectstart', 'dragstart', 'mouseup'])
        addEventListener(type, () => {
          heard.push(type);
          document.querySelector('output').textContent = heard.join(' ') + ' ' + getSelection();
        });
    </script>`,
  );
  const frame = await open('/slow');
  const { x, y, height } = (await frame.locator('p').boundingBox())!; // it is shown
  // Playwright's own mouse waits in every frame for a script, and the view's frames run none.
  const session = await page.context().newCDPSession(page);
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', to: number, buttons = 1): Promise<unknown> =>
    session.send('Input.dispatchMouseEvent', {
      ...{ type, x: x + to, y: y + height / 2, buttons, button: 'left', clickCount: 1 },
    });
  await mouse('mousePressed', 2);
  // So slowly that what reports selections is loaded meanwhile.
  for (let to = 4; to <= 160; to += 2) {
    await mouse('mouseMoved', to);
    await page.evaluate(() => new Promise((over) => requestAnimationFrame(over)));
  }
  await mouse('mouseReleased', 160, 0);
  await expect(frame.locator('output')).toHaveText('mousedown selectstart mouseup one two three');
});

test('[S-044] clears what is selected in the page', async ({ open }) => {
  const frame = await open('/select');
  await select(frame, '#text', 0, '#text', 3);
  await expect(said(frame)).toHaveText(/\[one\] 1/);
  await select(frame, '#more', 2, '#more', 2);
  await expect(said(frame)).toHaveText(/\[\] 1/);
  await select(frame, '#text', 0, '#text', 3);
  await expect(said(frame)).toHaveText(/\[one\] 1/);
  await frame.locator('body').evaluate(({ ownerDocument }) => ownerDocument.getSelection()?.removeAllRanges());
  await expect(said(frame)).toHaveText(/\[\] 0/);
});

test('[S-044] selects in closed shadow roots', async ({ open }) => {
  const frame = await open('/select');
  await frame.locator('#host').evaluate((host) => {
    const text = host.shadowRoot?.querySelector('p')?.firstChild;
    if (text) host.ownerDocument.getSelection()?.setBaseAndExtent(text, 5, text, 7);
  });
  await expect(said(frame)).toHaveText(/\[in\]/);
});

test('leaves the selection within a field alone after the person has left it for a button', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/left',
    `<!doctype html><p>x</p><textarea id="area">some more text</textarea><button id="go">go</button><output></output><script>
      const output = document.querySelector('output');
      const say = () => {
        const { type, anchorOffset, focusOffset } = getSelection();
        output.textContent += type + ' ' + (focusOffset - anchorOffset) + ', ';
      };
      document.addEventListener('selectionchange', say);
      addEventListener('keydown', ({ key }) => {
        if (key !== 'Shift') return;
        say();
        output.dataset.presses = Number(output.dataset.presses ?? 0) + 1;
      });
    </script>`,
  );
  const frame = await open('/left');
  await frame.locator('#area').click();
  await page.keyboard.type('\nand\n');
  await expect(frame.locator('output')).toHaveText(/Caret 0, $/);
  for (const times of [1, 2]) {
    if (times === 2) await frame.locator('#area').dblclick({ position: { x: 60, y: 10 } });
    await expect(frame.locator('output')).toHaveText(times === 1 ? /Caret 0, $/ : /Range 0, $/);
    await frame.locator('#go').click();
    await expect(frame.locator('#go')).toBeFocused();
    // By the clock of the view. What it reports then comes to the page before the next key.
    await page.evaluate(
      (ms) => new Promise((over) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(over)), ms)),
      OWN_MS,
    );
    await page.keyboard.press('Shift');
    await expect(frame.locator('output')).toHaveAttribute('data-presses', String(times));
    expect(await frame.locator('output').textContent()).not.toMatch(/[1-9]/);
  }
});

test('shows what a page selects in a field at each press of a button beside it', async ({ page, site, open }) => {
  site.on(
    '/number',
    `<!doctype html><input id="number" value="98"><button id="more">+</button><script>
      const more = document.querySelector('#more');
      more.onmousedown = (event) => event.preventDefault();
      more.onclick = () => { number.value = +number.value + 1; number.focus(); number.select(); };
    </script>`,
  );
  const frame = await open('/number');
  const field = frame.locator('#number');
  const button = (await frame.locator('#more').boundingBox())!; // it is shown
  await page.mouse.move(button.x + 5, button.y + 5);
  for (const [value, selected] of [
    ['99', '0 2'],
    ['100', '0 3'],
    ['101', '0 3'],
    ['102', '0 3'],
  ] as const) {
    await page.mouse.down();
    await page.mouse.up();
    await expect(field).toHaveValue(value);
    await expect
      .poll(() => field.evaluate((it: HTMLInputElement) => `${it.selectionStart} ${it.selectionEnd}`))
      .toBe(selected);
  }
});

test('what is selected with a canvas leaves its picture as it is, as in a page opened directly', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/canvas',
    `<!doctype html><p>before</p><canvas width="60" height="40"></canvas><p>after</p>
    <script>
      const context = document.querySelector('canvas').getContext('2d');
      context.fillStyle = 'rgb(0, 200, 0)';
      context.fillRect(0, 0, 60, 40);
    </script>`,
  );
  const frame = await open('/canvas');
  const box = (await frame.locator('canvas').boundingBox())!; // it is shown
  const text = (await frame.locator('p').first().boundingBox())!;
  const seen = async (): Promise<string> => (await page.screenshot({ clip: text })).toString('base64');
  const colour = async (): Promise<number[]> => {
    const picture = await page.screenshot({ clip: { x: box.x + 20, y: box.y + 20, width: 1, height: 1 } });
    return [...PNG.sync.read(picture).data];
  };
  await expect.poll(colour).toEqual([0, 200, 0, 255]);
  await frame.locator('p').first().click();
  const plain = await seen();
  await page.keyboard.press('Control+a');
  await expect.poll(seen).not.toBe(plain);
  expect(await colour()).toEqual([0, 200, 0, 255]);
});

test('all text of a number is selected where the page has selected it, and typing takes its place', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/hours',
    `<!doctype html><input id="day"><input id="hour" type="number" value="10" onfocus="this.select()"><output></output>
    <script>
      document.querySelector('#day').onkeydown = (event) => { event.preventDefault(); document.querySelector('#hour').focus(); };
      document.querySelector('#hour').oninput = ({ target }) => { document.querySelector('output').textContent = target.value; };
    </script>`,
  );
  const frame = await open('/hours');
  await frame.locator('#day').click();
  await page.keyboard.press('ArrowRight');
  const hour = frame.locator('#hour');
  await expect(hour).toBeFocused();
  await expect
    .poll(() => hour.evaluate((it: HTMLInputElement) => `${it.selectionStart} ${it.selectionEnd}`))
    .toBe('0 2');
  await page.keyboard.type('42');
  await expect(said(frame)).toHaveText('42');
  await expect(hour).toHaveValue('42');
});

test('an editor in a frame has neither focus nor selection before somebody enters it', async ({ page, site, open }) => {
  const editors = ['<body contenteditable>rich text', '<body>rich text<script>document.designMode="on"</script>'];
  site.on(
    '/editors',
    `<!doctype html><p>words of the page</p>${editors.map((html) => `<iframe srcdoc='${html}'></iframe>`).join('')}<p>end</p>`,
  );
  const frame = await open('/editors');
  await expect(frame.frameLocator('iframe').nth(1).locator('body')).toHaveText('rich text');
  const state = (body: Element): string =>
    `${body.ownerDocument.hasFocus()} ${String(body.ownerDocument.getSelection()).replaceAll(/\s+/g, ' ')}`;
  const seen = async (): Promise<readonly string[]> => {
    const frames = [0, 1].map((index) => frame.frameLocator('iframe').nth(index).locator('body'));
    return Promise.all([frame.locator('body'), ...frames].map((body) => body.evaluate(state)));
  };
  await page.keyboard.press('Control+a');
  await expect.poll(seen).toEqual(['true words of the page end', 'false ', 'false ']);
  for (const index of [0, 1]) {
    const body = frame.frameLocator('iframe').nth(index).locator('body');
    await body.click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await expect(body).toHaveText('rich text!');
    await page.keyboard.press('Control+a');
    await expect.poll(async () => (await seen())[index + 1]).toBe('true rich text!');
  }
});
