import type { FrameLocator, Page } from 'playwright/test';
import { expect } from 'playwright/test';
import { test } from './support/vitrine.ts';

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true });

type Point = readonly [x: number, y: number, id?: number];

/** Events that the page has heard, as `type[pointer]` and `type(fingers)`; of movements that follow each other the last. */
const HEARS = `
  const heard = [];
  const says = document.querySelector('output');
  const say = () => { says.textContent = heard.join(' '); };
  const at = ({ identifier, clientX, clientY }) => [identifier, Math.round(clientX), Math.round(clientY)].join();
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel', 'pointerdown', 'pointerup', 'pointercancel', 'mousedown', 'mouseup', 'click', 'contextmenu'])
    addEventListener(type, (event) => {
      const what = event.touches ? '(' + [...event.touches].map(at).join('|') + ')' : event.pointerType ? '[' + event.pointerType + ']' : '';
      if (type === 'touchmove' && heard.at(-1)?.startsWith(type)) heard.pop();
      heard.push(type + what);
      say();
    }, { capture: true, passive: true });
`;
const BODY = `<!doctype html><meta name="viewport" content="width=device-width">
<style>body { margin: 0; height: 4000px; font: 16px/20px sans-serif } div, a { display: block; height: 100px; background: #ddd; margin-bottom: 10px }
#across { touch-action: pan-y } output { position: fixed; top: 500px; left: 0; right: 0; background: white }</style>
<div id=plain>plain</div><div id=kept>kept</div><div id=across>across</div><a id=link href="#there">link</a><output></output><script>${HEARS}`;

/** The person's touch screen. */
async function touchScreen(
  page: Page,
): Promise<(type: 'Start' | 'Move' | 'End' | 'Cancel', ...points: Point[]) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  return async (type, ...points) => {
    const touchPoints = points.map(([x, y, id = 0]) => ({ x, y, id }));
    await cdp.send('Input.dispatchTouchEvent', { type: `touch${type}`, touchPoints });
  };
}

const scrolled = (frame: FrameLocator): Promise<number> =>
  frame.locator('html').evaluate((root) => Math.round(root.ownerDocument.defaultView?.scrollY ?? 0));

test('[S-001] [R-094] a tap is one of a finger in the page, with the mouse events that the page’s browser makes of it', async ({
  page,
  site,
  open,
}) => {
  site.on('/touch', `${BODY}</script>`);
  const frame = await open('/touch');
  const touch = await touchScreen(page);
  await touch('Start', [50, 350]);
  await touch('End');
  const tap = 'pointerdown[touch] touchstart(0,50,350) pointerup[touch] touchend() mousedown mouseup click[touch]';
  await expect(frame.locator('output')).toHaveText(tap);
  await expect(page).toHaveURL(/#there$/);
  await touch('Start', [60, 350]);
  await touch('End');
  await expect(frame.locator('output')).toHaveText(`${tap} ${tap.replace('50,350', '60,350')}`);
});

test('what a page keeps for itself does not scroll the view: it draws with each movement', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/kept',
    `${BODY} kept.addEventListener('touchmove', (event) => event.preventDefault(), { passive: false });</script>`,
  );
  const frame = await open('/kept');
  const touch = await touchScreen(page);
  await touch('Start', [50, 200]);
  await touch('Move', [50, 170]);
  await touch('Move', [80, 140]);
  await expect(frame.locator('output')).toHaveText('pointerdown[touch] touchstart(0,50,200) touchmove(0,80,140)');
  await touch('Move', [90, 120]);
  await touch('End');
  await expect(frame.locator('output')).toHaveText(
    'pointerdown[touch] touchstart(0,50,200) touchmove(0,90,120) pointerup[touch] touchend()',
  );
  expect(await scrolled(frame)).toBe(0);
});

test('[S-001] [R-094] fingers have numbers, and each comes up by itself', async ({ page, site, open }) => {
  site.on('/two', `${BODY} document.body.style.touchAction = 'none';</script>`);
  const frame = await open('/two');
  const touch = await touchScreen(page);
  await expect(frame.locator('body')).toHaveCSS('touch-action', 'none');
  await touch('Start', [50, 50, 0]);
  await touch('Start', [150, 50, 1]);
  await touch('Move', [40, 80, 0], [200, 90, 1]);
  await touch('End', [40, 80, 0]);
  await expect(frame.locator('output')).toHaveText(/touchend\(1,200,90\)$/);
  await touch('End');
  await expect(frame.locator('output')).toHaveText(
    [
      'pointerdown[touch] touchstart(0,50,50) pointerdown[touch] touchstart(0,50,50|1,150,50)',
      'touchmove(0,40,80|1,200,90) pointerup[touch] touchend(1,200,90) pointerup[touch] touchend()',
    ].join(' '),
  );
});

test('where the view scrolls, pointers of the page end, and its touches go on to their end', async ({
  page,
  site,
  open,
}) => {
  site.on('/scrolled', `${BODY}</script>`);
  const frame = await open('/scrolled');
  const touch = await touchScreen(page);
  const says = frame.locator('output');
  await touch('Start', [50, 250]);
  await touch('Move', [90, 250]);
  await touch('Move', [150, 250]);
  await touch('End');
  // The page has all of it: its element lets the browser scroll up and down alone.
  const across = 'pointerdown[touch] touchstart(0,50,250) touchmove(0,150,250) pointerup[touch] touchend()';
  await expect(says).toHaveText(across);
  await touch('Start', [50, 50]);
  let y = 50;
  // Browsers begin to scroll with a movement after the one by which they ask the page.
  await expect
    .poll(async () => {
      y -= 10;
      await touch('Move', [50, y]);
      return scrolled(frame);
    })
    .toBeGreaterThan(0);
  await expect(says).toHaveText(/pointercancel\[touch\]/);
  await touch('End');
  await expect(says).toHaveText(/touchend\(\)$/);
  await expect(says).toHaveText(
    new RegExp(
      `^${across} pointerdown[touch] touchstart(0,50,50) `.replaceAll(/[[\]().|]/g, '\\$&') +
        String.raw`(?:touchmove\(0,50,-?\d+\) )?pointercancel\[touch\] (?:touchmove\(0,50,-?\d+\) )?touchend\(\)$`,
    ),
  );
});

test('the view scrolls with the first movement where the page has no listener that may keep it', async ({
  page,
  site,
  open,
}) => {
  site.on('/passive', `${BODY} kept.addEventListener('touchmove', () => undefined, { passive: true });</script>`);
  const frame = await open('/passive');
  const touch = await touchScreen(page);
  await touch('Start', [50, 150]);
  await touch('Move', [50, 100]);
  await expect.poll(() => scrolled(frame)).toBeGreaterThan(0);
  await touch('Move', [50, 80]);
  await touch('End');
  // The page hears of the movement before its pointer ends.
  await expect(frame.locator('output')).toHaveText(
    /^pointerdown\[touch\] touchstart\(0,50,150\) touchmove\(0,50,100\) pointercancel\[touch\] .*touchend\(\)$/,
  );
});

test('a finger that rests until the view answers with a menu is no tap when it comes up', async ({
  page,
  site,
  open,
}) => {
  site.on('/rested', `${BODY}</script>`);
  const frame = await open('/rested');
  const touch = await touchScreen(page);
  await touch('Start', [50, 50]);
  // The runner's screen knows no finger that rests.
  await frame.locator('#plain').dispatchEvent('contextmenu', { pointerType: 'touch' });
  await touch('End');
  await expect(frame.locator('output')).toHaveText(
    'pointerdown[touch] touchstart(0,50,50) pointerup[touch] touchend()',
  );
  await touch('Start', [50, 60]);
  await touch('End');
  await expect(frame.locator('output')).toHaveText(/mouseup click\[touch\]$/);
  expect((await frame.locator('output').textContent())?.match(/click/g)).toHaveLength(1);
  // Phones cancel the touch once they have shown a menu: the next one is a tap again.
  await touch('Start', [50, 50]);
  await frame.locator('#plain').dispatchEvent('contextmenu', { pointerType: 'touch' });
  await touch('Cancel');
  await expect(frame.locator('output')).toHaveText(/touchcancel\(\)$/);
  await touch('Start', [50, 70]);
  await touch('End');
  await expect(frame.locator('output')).toHaveText(/touchstart\(0,50,70\).* click\[touch\]$/);
});
