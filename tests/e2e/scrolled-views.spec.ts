import { GESTURE_MS } from '../../plugins/mirror/client/gestures.ts';
import { expect, test, view } from './support/vitrine.ts';

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
  },
});

/** Resolves after some ms. Runs in the shell. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const TALL = '<div style="height:3000px">top</div>';
/** Shows how often its button was pressed. */
const COUNTER = '<!doctype html><button onclick="this.textContent = ++this.value">0</button>';

for (const [name, host] of [
  ['of its site', '127.0.0.1'],
  ['of another site', 'localhost'],
] as const)
  test(`presses what is in a frame ${name} that was out of view, and that no gesture has brought there`, async ({
    site,
    open,
  }) => {
    site.on('/inner', COUNTER);
    site.on('/outer', `<!doctype html>${TALL}<iframe src="http://${host}:${site.port}/inner"></iframe>`);
    const frame = await open('/outer');
    const button = frame.frameLocator('iframe').getByRole('button');
    await button.click(); // scrolls the view as assistive technology does, without an event of a device
    await expect(button).toHaveText('1');
    await button.click();
    await expect(button).toHaveText('2');
  });

test('follows a scroll bar that is held for a while before it moves on', async ({ page, site, open }) => {
  site.on(
    '/tall',
    `<!doctype html><body style="margin:0">${TALL}<output style="position:fixed;top:0"></output><script>
    addEventListener('scroll', () => { document.querySelector('output').textContent = String(Math.round(scrollY)); })</script>`,
  );
  await open('/tall');
  const frame = view(page);
  const { width } = page.viewportSize()!;
  await page.mouse.move(width - 5, 30);
  await page.mouse.down();
  await page.mouse.move(width - 5, 80, { steps: 4 });
  await expect(frame.locator('output')).not.toBeEmpty();
  const first = Number(await frame.locator('output').textContent());
  await page.evaluate(pause, 3 * GESTURE_MS);
  await page.mouse.move(width - 5, 200, { steps: 4 });
  await expect.poll(async () => Number(await frame.locator('output').textContent())).toBeGreaterThan(first + 300);
  await page.mouse.up();
  const shown = (): Promise<number> => frame.locator('html').evaluate((root) => root.scrollTop);
  await expect
    .poll(async () => Math.abs((await shown()) - Number(await frame.locator('output').textContent())))
    .toBeLessThan(5);
});

test('tells a page that a scroll has ended once its steps have rested, in place of the browser', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/ends',
    `<!doctype html><body style="margin:0">${TALL}<div id="box" style="position:fixed;top:100px;left:0;width:300px;height:200px;overflow:auto"><div style="height:9000px">box</div></div>
    <output style="position:fixed;top:0"></output><script>
    const heard = new Set();
    document.addEventListener('scrollend', ({ target, isTrusted }) => {
      if (!isTrusted) heard.add(target.id ?? 'document');
      document.querySelector('output').textContent = [...heard].join(' ');
    }, true);
    </script>`,
  );
  const frame = await open('/ends');
  await page.mouse.move(600, 200);
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, 10);
  await expect(frame.locator('output')).toHaveText('document');
  await page.mouse.move(100, 200);
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, 40);
  await expect(frame.locator('output')).toHaveText('document box');
});

const SCROLLERS = `<!doctype html><style>body{margin:0} .box{width:200px;height:100px;overflow:auto;border:20px solid;margin:10px}</style>
  <div class="box" id="plain"><div style="height:900px">a</div></div>
  <div class="box" id="rtl" dir="rtl"><div style="height:900px">b</div></div>
  <div class="box" id="small" style="transform:scale(0.5);transform-origin:0 0"><div style="height:900px">c</div></div>
  <textarea id="area" style="height:100px;width:200px;margin:10px">${'d\n'.repeat(40)}</textarea>
  <p><span id="inline" style="overflow:auto;border:1px solid">no scroller</span></p><div style="height:3000px"></div><output style="position:fixed;top:0;left:400px"></output><pre style="position:fixed;top:40px;left:400px"></pre>
  <script>
    const presses = [];
    addEventListener('mousedown', ({ target }) => { presses.push(target.id || target.localName); document.querySelector('pre').textContent = presses.join(' '); });
    document.addEventListener('scroll', ({ target }) => {
      const { id, scrollTop } = target === document ? document.documentElement : target;
      document.querySelector('output').textContent = (id || 'root') + ' ' + (scrollTop > 0);
    }, true);
  </script>`;

test('scroll bars scroll the view alone, which the page follows; what is beside them is pressed', async ({
  page,
  site,
  open,
}) => {
  site.on('/bars', SCROLLERS);
  const frame = await open('/bars');
  const heard = frame.locator('pre');
  const hold = async (x: number, y: number, says: string): Promise<void> => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await expect(frame.locator('output')).toHaveText(says);
    await page.mouse.up();
  };
  const BORDER = 20;
  const INSIDE = 5;
  for (const [id, side, scale] of [
    ['plain', 'right', 1],
    ['rtl', 'left', 1],
    ['small', 'right', 0.5],
  ] as const) {
    const box = (await frame.locator(`#${id}`).boundingBox())!; // it is displayed
    const [edge, inwards] = side === 'right' ? [box.x + box.width, -1] : [box.x, 1];
    const y = box.y + box.height * 0.6;
    await hold(edge + inwards * (BORDER + INSIDE) * scale, y, `${id} true`);
    await page.mouse.click(edge + (inwards * BORDER * scale) / 2, y); // on the border
    await expect(heard).toContainText(id);
  }
  const area = (await frame.locator('#area').boundingBox())!; // as above
  await hold(area.x + area.width - INSIDE - 2, area.y + area.height / 2, 'area true');
  await page.mouse.click(area.x + area.width - INSIDE, area.y + area.height - INSIDE); // where it is resized
  await expect(heard).toHaveText('plain rtl small area');
  const { width, height } = page.viewportSize()!; // the tests' browser has one
  await hold(width - INSIDE, height * 0.8, 'root true');
  await frame.locator('#inline').click();
  await expect(heard).toHaveText('plain rtl small area inline');
});
