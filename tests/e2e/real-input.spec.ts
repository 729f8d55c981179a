import { Hands } from './support/desktop/hands.ts';
import { FIELDS, PAINTED, pageWith, test } from './support/desktop/seats.ts';
import { expect, shown, view } from './support/vitrine.ts';

test('[R-102] keys and mouse edit fields as they do directly', async ({ site, compare }) => {
  site.on('/fields', pageWith(FIELDS));
  await compare('/fields', async ({ hands, at, sees }) => {
    for (const field of ['line', 'area', 'rich']) {
      await hands.click(at(field));
      await hands.type('Hello, wide World');
      await hands.press('Backspace', 'Backspace', 'ArrowLeft', 'ArrowLeft', 'Delete');
      await hands.press('Shift+ArrowLeft', 'Shift+ArrowLeft');
      await sees(field, 'Hello, wide[ W]r');
      await hands.press('Control+KeyC', 'End', 'Control+KeyV', 'Control+KeyV', 'Home', 'Control+Shift+ArrowRight');
      await sees(field, '[Hello], wide Wr W W');
      await hands.press('Control+KeyX', 'End', 'Control+KeyV');
      await hands.click(at(field, 20), 2);
      await hands.type('Big (one)');
      await hands.press('Control+KeyA');
      await sees(field, '[, Big (one) Wr W WHello]');
      await hands.press('Control+KeyC', 'ArrowRight', 'Control+KeyV', 'Control+KeyZ');
    }
  });
});

/** Enter and Space with each modifier: some of them begin a line, submit the form or press the button, and others only are heard. */
const CHORDS = ['Enter', 'Space'].flatMap((key) =>
  ['Control+', 'Shift+', 'Alt+', 'Control+Shift+', ''].map((held) => held + key),
);

test('[R-102] Enter and Space do what they do directly, whatever is held with them', async ({ site, compare }) => {
  const form = `<form>${FIELDS}<button id="send">Send</button></form>`;
  site.on('/form', pageWith(form));
  // The window manager has a menu on Alt+Space.
  const chords = CHORDS.filter((chord) => chord !== 'Alt+Space');
  await compare('/form', async ({ hands, at, begin }) => {
    for (const field of ['line', 'area', 'rich']) {
      await begin(field);
      await hands.press(...chords);
    }
    await hands.click(at('rich'));
    await hands.press('Tab', ...chords);
  });
});

/** Keys, and the text that is there after them. */
type Typed = readonly [keys: string, text: string];

/** Layouts in which AltGr types further characters. */
const LAYOUTS: Readonly<Record<string, { readonly options: readonly string[]; readonly typed: readonly Typed[] }>> = {
  German: {
    options: ['de'],
    typed: [['KeyZ KeyY BracketLeft Shift+Quote Minus AltGr+KeyQ AltGr+KeyE AltGr+Digit7', 'yzüÄß@€{']],
  },
};

for (const [name, { options, typed }] of Object.entries(LAYOUTS))
  test(`[R-102] a keyboard with AltGr types as it does directly: ${name}`, async ({ site, desktop, compare }) => {
    site.on('/fields', pageWith(FIELDS));
    await desktop.run('setxkbmap', ...options);
    await compare('/fields', async ({ hands, begin, hears, sees }) => {
      await begin('line');
      for (const [keys, text] of typed) {
        await hands.press(...keys.split(' '));
        await hears(`${text}[]`);
        await sees('line', `${text}[]`);
      }
    });
    await desktop.run('setxkbmap', 'us');
  });

/** Time after Escape for which Chromium locks no pointer again, in ms, and some more. */
const LOCK_AGAIN_MS = 1500;

/** Locks the pointer by a click, and writes down the sum of its movement and what else happens. */
const LOCKING = `<!doctype html><style>body{margin:0}#box{width:300px;height:200px;background:#dfd}</style>
  <div id=box></div><output id=sum></output><output id=log></output><script>
  const sums = [0, 0];
  const put = (text) => { log.textContent += text + ' '; };
  box.onclick = () => { if (!document.pointerLockElement) box.requestPointerLock(); };
  document.onpointerlockchange = () => put(document.pointerLockElement ? 'in' : 'out');
  document.onmousemove = ({ movementX, movementY }) => {
    if (!document.pointerLockElement) return;
    sum.textContent = (sums[0] += movementX) + ' ' + (sums[1] += movementY);
  };
  box.onmouseup = ({ button }) => { if (document.pointerLockElement) put('up' + button); };
  onkeydown = ({ key }) => put(key);
  ${PAINTED}
  </script>`;

test('a locked pointer moves by what the mouse moves, and Escape ends the lock', async ({
  page,
  site,
  desktop,
  vitrine,
}) => {
  site.on('/locking', LOCKING);
  const direct = `${site.origin}/locking`;
  await page.goto(direct);
  const hands = await Hands.over(desktop, page);
  for (const address of [direct, `${vitrine}/${direct}`]) {
    await page.goto(address);
    if (address !== direct) await shown(page);
    const frame = address === direct ? page : view(page);
    await expect(frame.locator('body')).toHaveAttribute('data-painted');
    const log = frame.locator('#log');
    const at = { x: 0, y: 0 };
    await hands.click({ x: 150, y: 100 });
    await expect(log, address).toHaveText('in ');
    // A browser that is slow puts the pointer back late: moves that reach an edge of the screen before that are lost to any browser.
    for (const sum of ['240 -33', '-10 84', '-260 201', '-510 318', '-760 435', '-1010 551', '-1260 667']) {
      const [toX = 0, toY = 0] = sum.split(' ').map(Number);
      await hands.moveBy(toX - at.x, toY - at.y);
      await expect(frame.locator('#sum'), address).toHaveText(sum);
      Object.assign(at, { x: toX, y: toY });
    }
    await hands.clickHere(3);
    await expect(log, address).toHaveText('in up2 ');
    await hands.press('Escape');
    await expect(log, address).toHaveText('in up2 out ');
    await hands.moveBy(60, 60);
    await hands.press('KeyK');
    await expect(log, address).toHaveText('in up2 out k ');
    await expect(frame.locator('#sum'), address).toHaveText('-1260 667');
    expect(await page.evaluate(() => document.pointerLockElement), address).toBe(null);
    await page.waitForTimeout(LOCK_AGAIN_MS);
  }
});
