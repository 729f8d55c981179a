import type { FrameLocator, Page } from 'playwright/test';
import { expect, test } from './support/vitrine.ts';

/** A page that shows in its `<output>` what its script puts into `heard`: the surrogate's own events. */
const withLog = (body: string, script: string): string =>
  `<!doctype html><style>body{margin:8px;font:16px sans-serif}</style>${body}<output></output><script>
    const heard = []; const say = (...what) => { heard.push(what.join(' ')); document.querySelector('output').textContent = heard.join('|'); };
    ${script}</script>`;
const SAY_VALUES = `addEventListener('input', ({ target }) => {
  heard.length = 0; say(target.isContentEditable ? target.textContent : target.value); }, true);`;
const output = (frame: FrameLocator) => frame.locator('output');

/** The value of the field in the view, which is the surrogate's. */
const holds = (frame: FrameLocator, selector: string, value: string): Promise<void> =>
  selector === 'div'
    ? expect(frame.locator(selector)).toHaveText(value)
    : expect(frame.locator(selector)).toHaveValue(value);

const FIELDS = [
  ['an input', 'input', '<input>'],
  ['a text area', 'textarea', '<textarea></textarea>'],
  ['an editable element', 'div', '<div contenteditable style="height:60px;border:1px solid"></div>'],
] as const;

for (const [name, selector, html] of FIELDS) {
  test(`edits ${name} with typing, erasing, moving, selecting and undoing`, async ({ page, site, open }) => {
    site.on('/edit', withLog(html, SAY_VALUES));
    const frame = await open('/edit');
    await frame.locator(selector).click();
    await page.keyboard.type('Hello worlds');
    await page.keyboard.press('Backspace');
    await holds(frame, selector, 'Hello world');
    for (let left = 0; left < 5; left += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('big ');
    await holds(frame, selector, 'Hello big world');
    await page.keyboard.press('End');
    for (let left = 0; left < 5; left += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.type('town');
    await expect(output(frame)).toHaveText('Hello big town');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('x');
    await holds(frame, selector, 'x');
    await page.keyboard.press('Control+z');
    await expect(output(frame)).toContainText('Hello big');
  });

  test(`keeps all keys of fast typing in order in ${name}`, async ({ page, site, open }) => {
    const text = 'the quick brown fox jumps over';
    expect(text).toHaveLength(30);
    site.on('/fast', withLog(html, SAY_VALUES));
    const frame = await open('/fast');
    await frame.locator(selector).click();
    await page.keyboard.type(text);
    await expect(output(frame)).toHaveText(text);
    await holds(frame, selector, text);
  });
}

test('breaks lines in a text area and submits an input with Enter', async ({ page, site, open }) => {
  site.on(
    '/enter',
    withLog(
      '<textarea></textarea><form><input></form>',
      `addEventListener('submit', (event) => { event.preventDefault(); say('submitted', JSON.stringify(document.querySelector('textarea').value)); });`,
    ),
  );
  const frame = await open('/enter');
  await frame.locator('textarea').click();
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await expect(frame.locator('textarea')).toHaveValue('one\ntwo');
  await frame.locator('input').click();
  await page.keyboard.press('Enter');
  await expect(output(frame)).toHaveText('submitted "one\\ntwo"');
});

test('lets the page see keys as trusted events with key, code and modifiers', async ({ page, site, open }) => {
  site.on(
    '/keys',
    withLog(
      '<p tabindex="0">here</p>',
      `for (const type of ['keydown', 'keyup']) addEventListener(type, (event) => {
        const { key, code, keyCode, shiftKey, ctrlKey, altKey, isTrusted } = event;
        say(type, key, code, keyCode, +shiftKey, +ctrlKey, +altKey, isTrusted); event.preventDefault(); });`,
    ),
  );
  const frame = await open('/keys');
  await frame.locator('p').click();
  await page.keyboard.press('a');
  await page.keyboard.press('Shift+B');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(output(frame)).toHaveText(
    [
      'keydown a KeyA 65 0 0 0 true',
      'keyup a KeyA 65 0 0 0 true',
      'keydown Shift ShiftLeft 16 1 0 0 true',
      'keydown B KeyB 66 1 0 0 true',
      'keyup B KeyB 66 1 0 0 true',
      'keyup Shift ShiftLeft 16 0 0 0 true',
      'keydown Control ControlLeft 17 0 1 0 true',
      'keydown k KeyK 75 0 1 0 true',
      'keyup k KeyK 75 0 1 0 true',
      'keyup Control ControlLeft 17 0 0 0 true',
      'keydown Escape Escape 27 0 0 0 true',
      'keyup Escape Escape 27 0 0 0 true',
    ].join('|'),
  );
});

test('selects a word by a double click and a range by Shift and a click', async ({ page, site, open }) => {
  site.on(
    '/select',
    withLog(
      '<p><span>alpha</span> beta <b>gamma</b></p><input value="one two three">',
      `document.addEventListener('selectionchange', () => { heard.length = 0; say(getSelection().toString().trim()); });`,
    ),
  );
  const frame = await open('/select');
  await frame.locator('b').dblclick();
  await expect(output(frame)).toHaveText('gamma');
  await frame.locator('span').click({ position: { x: 1, y: 8 } });
  await frame.locator('b').click({ position: { x: 2, y: 8 }, modifiers: ['Shift'] });
  await expect(output(frame)).toHaveText('alpha beta');
  await frame.locator('input').dblclick({ position: { x: 12, y: 10 } });
  await page.keyboard.type('1');
  await expect(frame.locator('input')).toHaveValue(/^1 ?two three$/);
});

test('reports clicks with their count, button, modifiers and place, and the context menu', async ({ site, open }) => {
  site.on(
    '/clicks',
    withLog(
      '<div style="position:absolute;left:100px;top:200px;width:200px;height:100px;background:#ccc"></div>',
      `for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick']) addEventListener(type, (event) => {
        const { button, detail, offsetX, offsetY, shiftKey, isTrusted } = event; event.preventDefault();
        say(type, button, detail, Math.round(offsetX), Math.round(offsetY), shiftKey, isTrusted); });`,
    ),
  );
  const frame = await open('/clicks');
  const box = frame.locator('div');
  await box.dblclick({ position: { x: 20, y: 30 } });
  await box.click({ position: { x: 150, y: 40 }, modifiers: ['Shift'] });
  await box.click({ position: { x: 60, y: 70 }, button: 'right' });
  await expect(output(frame)).toHaveText(
    [
      'click 0 1 20 30 false true',
      'click 0 2 20 30 false true',
      'dblclick 0 2 20 30 false true',
      'click 0 1 150 40 true true',
      'contextmenu 2 0 60 70 false true',
      'auxclick 2 1 60 70 false true',
    ].join('|'),
  );
});

test('drags a slider, of the browser and of the page itself', async ({ page, site, open }) => {
  site.on(
    '/sliders',
    withLog(
      '<input type="range" min="0" max="100" value="0" style="width:200px"><div style="width:300px;height:20px;background:#ccc"><i style="display:block;width:20px;height:20px;background:red"></i></div>',
      `document.querySelector('input').oninput = ({ target }) => { heard.length = 0; say('range', target.value); };
      let from; const knob = document.querySelector('i');
      knob.onmousedown = (event) => { from = event.clientX; event.preventDefault(); };
      onmousemove = ({ clientX, buttons }) => { if (from !== undefined && buttons) knob.style.marginLeft = clientX - from + 'px'; };
      onmouseup = () => { if (from !== undefined) { heard.length = 0; say('knob', knob.style.marginLeft); } from = undefined; };`,
    ),
  );
  const frame = await open('/sliders');
  // Playwright's own mouse waits in every frame for a script, and the view's frames run none.
  const session = await page.context().newCDPSession(page);
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', x: number, y: number, buttons: number) =>
    session.send('Input.dispatchMouseEvent', { type, x, y, buttons, button: 'left', clickCount: 1 });
  const drag = async (selector: string, by: number): Promise<void> => {
    const box = await frame.locator(selector).boundingBox();
    if (!box) throw new Error('not shown');
    const [x, y] = [box.x + 8, box.y + box.height / 2];
    await mouse('mousePressed', x, y, 1);
    for (let step = 1; step <= 5; step += 1) await mouse('mouseMoved', x + (by * step) / 5, y, 1);
    await mouse('mouseReleased', x + by, y, 0);
  };
  await drag('input', 92);
  await expect(output(frame)).toHaveText(/^range (49|50|51)$/);
  await drag('i', 120);
  await expect(output(frame)).toHaveText('knob 120px');
  await expect(frame.locator('i')).toHaveCSS('margin-left', '120px');
});

test('drags an element as far as the pointer, although the view is late', async ({ page, site, open }) => {
  site.on(
    '/following',
    withLog(
      '<i style="display:block;width:200px;height:40px;background:red"></i>',
      `let from; const knob = document.querySelector('i');
      onmousedown = ({ clientX }) => { from = clientX; };
      onmousemove = ({ clientX, buttons }) => { if (buttons) knob.style.marginLeft = clientX - from + 'px'; };
      onmouseup = ({ clientX }) => say('by', clientX - from);`,
    ),
  );
  const frame = await open('/following');
  const box = await frame.locator('i').boundingBox();
  if (!box) throw new Error('not shown');
  const session = await page.context().newCDPSession(page);
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', by: number) => {
    const [x, y] = [box.x + 100 + by, box.y + 20];
    return session.send('Input.dispatchMouseEvent', { type, x, y, buttons: 1, button: 'left', clickCount: 1 });
  };
  await mouse('mousePressed', 0);
  for (let step = 1; step <= 40; step += 1) {
    await mouse('mouseMoved', step * 12);
    await page.waitForTimeout(12);
  }
  await mouse('mouseReleased', 500);
  await expect(output(frame)).toHaveText('by 500');
});

test('scrolls document and inner scroller in the view, and the page gets the offsets', async ({ page, site, open }) => {
  site.on(
    '/scroll',
    withLog(
      `<div id="inner" style="height:200px;width:300px;overflow:auto"><p style="height:2000px">inner</p></div><p style="height:3000px">outer</p>`,
      `const box = document.querySelector('output'); box.style.cssText = 'position:fixed;right:0;top:0';
      addEventListener('scroll', ({ target }) => { heard.length = 0;
        say(target === document ? 'page ' + Math.round(scrollY) : 'inner ' + Math.round(target.scrollTop)); }, true);`,
    ),
  );
  const frame = await open('/scroll');
  const inner = frame.locator('#inner');
  await inner.hover();
  await page.mouse.wheel(0, 150);
  await expect.poll(() => inner.evaluate((node) => node.scrollTop)).toBe(150);
  await expect(output(frame)).toHaveText('inner 150');
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => frame.locator('html').evaluate((node) => node.scrollTop)).toBe(400);
  await expect(output(frame)).toHaveText('page 400');
});

test('forwards a wheel event that scrolls nothing to the page', async ({ page, site, open }) => {
  site.on(
    '/map',
    withLog(
      '<div style="width:300px;height:200px;background:#ccc"></div>',
      `addEventListener('wheel', (event) => { event.preventDefault(); say(event.deltaX, event.deltaY, event.isTrusted); }, { passive: false });`,
    ),
  );
  const frame = await open('/map');
  await frame.locator('div').hover();
  await page.mouse.wheel(0, 120);
  await expect(output(frame)).toHaveText('0 120 true');
});

test('hovers: styles, mouseenter and mouseleave', async ({ page, site, open }) => {
  site.on(
    '/hover',
    withLog(
      '<style>#a:hover{color:rgb(255, 0, 0)}</style><p id="a">hover me</p><p id="b">elsewhere</p>',
      `const a = document.querySelector('#a'); a.onmouseenter = () => say('in'); a.onmouseleave = () => say('out');`,
    ),
  );
  const frame = await open('/hover');
  await frame.locator('#a').hover();
  await expect(frame.locator('#a')).toHaveCSS('color', 'rgb(255, 0, 0)');
  await expect(output(frame)).toHaveText('in');
  await frame.locator('#b').hover();
  await expect(frame.locator('#a')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(output(frame)).toHaveText('in|out');
  await page.mouse.move(0, 0);
});

test('chooses from a select list, checks by labels, and moves the focus with Tab', async ({ page, site, open }) => {
  site.on(
    '/form',
    withLog(
      `<select><option>one<option>two<option>three</select>
      <label for="box">box</label><input id="box" type="checkbox">
      <label>left<input type="radio" name="side" value="left"></label><label>right<input type="radio" name="side" value="right"></label>
      <input id="second" tabindex="2"><input id="first" tabindex="1">`,
      `addEventListener('change', ({ target }) => say(target.id || target.localName, target.type === 'select-one' ? target.value : target.checked, target.value));
      addEventListener('focus', ({ target }) => { if (target.id === 'first' || target.id === 'second') say('focus', target.id); }, true);`,
    ),
  );
  const frame = await open('/form');
  await frame.locator('select').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(frame.locator('select')).toHaveValue('two');
  await expect(output(frame)).toHaveText('select two two');
  await frame.getByText('box', { exact: true }).click();
  await expect(frame.locator('#box')).toBeChecked();
  await frame.getByText('right').click({ position: { x: 3, y: 5 } });
  await expect(frame.locator('[value="right"]')).toBeChecked();
  await frame.getByText('left').click({ position: { x: 3, y: 5 } });
  await expect(frame.locator('[value="right"]')).not.toBeChecked();
  await frame.locator('#first').click();
  await page.keyboard.press('Tab');
  await expect(frame.locator('#second')).toBeFocused();
  await page.keyboard.type('ab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('cd');
  await expect(frame.locator('#second')).toHaveValue('ab');
  await expect(frame.locator('#first')).toHaveValue('cd');
  await expect(output(frame)).toContainText('box true on|input true right|input true left|focus first|focus second');
});

/** Pages for tests of copy and paste: plain fields, and an editor that handles paste events. */
const CLIPBOARD = `<input id="a" value="alpha"><input id="b"><div contenteditable id="c" style="height:40px;border:1px solid">gamma</div>`;
const quickly = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

test('copies and cuts from one field and pastes into another, at any speed', async ({ page, site, open }) => {
  site.on('/clipboard', withLog(CLIPBOARD, ''));
  const frame = await open('/clipboard');
  await frame.locator('#a').click();
  await quickly(page, 'Control+a', 'Control+c');
  await frame.locator('#b').click();
  await quickly(page, 'Control+v');
  await expect(frame.locator('#b')).toHaveValue('alpha');
  await quickly(page, 'Control+a', 'Control+x');
  await expect(frame.locator('#b')).toHaveValue('');
  await frame.locator('#a').click();
  await quickly(page, 'End', 'Control+v');
  await expect(frame.locator('#a')).toHaveValue('alphaalpha');
  await frame.locator('#c').click();
  await quickly(page, 'Control+a', 'Control+c', 'ArrowRight', 'Control+v', 'Control+v');
  await expect(frame.locator('#c')).toHaveText('gammagammagamma');
  await quickly(page, 'Control+a', 'Control+x', 'Control+v', 'x');
  await expect(frame.locator('#c')).toHaveText('gammagammagammax');
});

test('exchanges clipboard data with other programs', async ({ page, site, open, context }) => {
  site.on('/paste', withLog(CLIPBOARD, `addEventListener('focus', ({ target }) => say(target.id), true);`));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const frame = await open('/paste');
  await frame.locator('#b').click();
  await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
  await page.keyboard.press('Control+v');
  await expect(frame.locator('#b')).toHaveValue('from elsewhere');
  await frame.locator('#a').click();
  await expect(output(frame)).toHaveText('b|a'); // what the view shows is copied for other programs
  await quickly(page, 'Control+a', 'Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('alpha');
});

test('clicks at the right place after a press whose release was lost with its page', async ({ page, site, open }) => {
  site.on(
    '/leaves',
    `<!doctype html><title>leaves</title><b style="display:block;width:200px;height:100px;background:red"></b><script>
      onmousemove = () => { document.querySelector('b').style.marginLeft = '300px'; };
      onmousedown = () => { location.href = '/arrives'; };
    </script>`,
  );
  site.on('/arrives', withLog('<title>arrives</title>', `onclick = ({ clientX }) => say('at', clientX);`));
  const frame = await open('/leaves');
  const box = await frame.locator('b').boundingBox();
  if (!box) throw new Error('not shown');
  const session = await page.context().newCDPSession(page);
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number) =>
    session.send('Input.dispatchMouseEvent', {
      type,
      x: box.x + x,
      y: box.y + 50,
      ...(type !== 'mouseMoved' && { button: 'left', buttons: type === 'mousePressed' ? 1 : 0, clickCount: 1 }),
    });
  await mouse('mouseMoved', 52);
  await mouse('mousePressed', 52);
  await expect(page).toHaveTitle('arrives');
  await expect(output(frame)).toBeAttached(); // its title comes before its view
  await mouse('mouseReleased', 52);
  await mouse('mousePressed', 52);
  await mouse('mouseReleased', 52);
  await expect(output(frame)).toHaveText('at 60');
});
