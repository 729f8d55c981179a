import type { BrowserContext, FrameLocator, Page } from 'playwright/test';
import { DIARY, markedText } from './support/desktop/diary.ts';
import { startDesktop } from './support/desktop/desktop.ts';
import type { Desktop } from './support/desktop/desktop.ts';
import { Hands } from './support/desktop/hands.ts';
import type { Point } from './support/desktop/hands.ts';
import { installDesktop } from './support/desktop/packages.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test as base, view } from './support/vitrine.ts';

/** A page, opened directly or through the product, and the hands of the person in front of it. */
interface Seat {
  readonly hands: Hands;
  readonly frame: FrameLocator | Page;
  /** Middle of an element of the page, where it is when the page is opened directly. */
  at(id: string, x?: number): Point;
  /** Waits until the person sees a text and selection in a field: {@link markedText}. */
  sees(id: string, marked: string): Promise<void>;
  /** Clicks into the first field, and waits for all that follows typing. */
  begin(id: string): Promise<void>;
  /** Waits until the last thing that the page has heard ends with this. */
  hears(end: string): Promise<void>;
}

/** Plays the same directly and through the product, and returns what the page has written down each time. */
type Compare = (path: string, play: (seat: Seat) => Promise<void>) => Promise<void>;

const test = base.extend<
  { readonly compare: Compare },
  { readonly desktop: Desktop; readonly browserOfPerson: BrowserContext }
>({
  desktop: [
    async ({}, use) => {
      expect(installDesktop(), 'packages of Debian that are missing and cannot be installed').toEqual([]);
      const desktop = await startDesktop();
      await use(desktop);
      await desktop.stop();
    },
    { scope: 'worker' },
  ],
  browserOfPerson: [async ({ desktop }, use) => use(await desktop.openBrowser()), { scope: 'worker' }],
  page: async ({ browserOfPerson }, use) => {
    await use(browserOfPerson.pages()[0] ?? (await browserOfPerson.newPage()));
  },
  compare: async ({ page, desktop, site, vitrine }, use) => {
    await use(async (path, play) => {
      await page.goto(`${site.origin}${path}`);
      const hands = await Hands.over(desktop, page);
      const boxes = await boxesOf(page);
      const at = (selector: string, x?: number): Point => pointIn(boxes, selector, x);
      await played('directly', seatAt(page, page, hands, at), play);
      const directly = await linesOf(page);
      expect(directly.length, 'what the page writes down when it is used directly').toBeGreaterThan(1);
      await page.goto(`${vitrine}/${site.origin}${path}`);
      await shown(page);
      const frame = view(page);
      await frame.locator('output').waitFor({ state: 'attached' });
      await expect(frame.locator('body')).toHaveAttribute('data-painted');
      await played('through the product', seatAt(page, frame, hands, at), play);
      await expect.poll(async () => difference(directly, await linesOf(frame))).toBe('');
    });
  },
});

/** Parts of the client that are loaded with the first focus. */
const CHUNKS = ['composition.follow', 'local-echo.start'];

const seatAt = (page: Page, frame: FrameLocator | Page, hands: Hands, at: Seat['at']): Seat => ({
  hands,
  frame,
  at,
  begin: async (id) => {
    await hands.click(at(id));
    await expect(frame.locator(`#${id}:focus`)).toBeAttached();
    if (!('goto' in frame)) for (const chunk of CHUNKS) await loaded(page, chunk);
  },
  sees: (id, marked) => expect.poll(() => frame.locator(`#${id}`).evaluate(markedText)).toBe(marked),
  hears: (end) => expect.poll(async () => (await linesOf(frame)).at(-1)?.slice(-end.length)).toBe(end),
});

const linesOf = async (frame: FrameLocator | Page): Promise<string[]> =>
  ((await frame.locator('output').textContent()) ?? '').trimEnd().split('\n');

/** Number of lines before the first different one, and of those after it, that a message shows. */
const AROUND = 12;

/** The first lines that differ, for a message; empty where there are none. */
function difference(directly: readonly string[], through: readonly string[]): string {
  const first = directly.findIndex((line, index) => line !== through[index]);
  const from = first < 0 ? directly.length : first;
  if (first < 0 && through.length === directly.length) return '';
  const rest = (lines: readonly string[]): string => lines.slice(from, from + AROUND).join('\n');
  const before = directly.slice(Math.max(0, from - AROUND), from).join('\n');
  return `after\n${before}\ndirectly\n${rest(directly)}\nthrough the product\n${rest(through)}`;
}

type Boxes = Readonly<Record<string, { x: number; y: number; width: number; height: number }>>;

const boxesOf = (page: Page): Promise<Boxes> =>
  page.evaluate(() =>
    Object.fromEntries(
      Array.from(document.querySelectorAll('[id]'), (element) => [
        element.id,
        element.getBoundingClientRect().toJSON(),
      ]),
    ),
  );

/** Middle of the first line of a field below its edge, in CSS pixels. */
const FIRST_LINE_PX = 12;

function pointIn(boxes: Boxes, id: string, x?: number): Point {
  const box = boxes[id];
  if (box === undefined) throw new Error(`The page has no element with the id ${id}`);
  return { x: box.x + (x ?? box.width / 2), y: box.y + Math.min(FIRST_LINE_PX, box.height / 2) };
}

/** Plays, and waits until the page has heard all of it. A failure says what the page has heard last. */
async function played(where: string, seat: Seat, play: (seat: Seat) => Promise<void>): Promise<void> {
  try {
    await play(seat);
    await ended(seat.frame, seat.hands);
  } catch (error) {
    console.log(`${where}, the page has heard last:\n${(await linesOf(seat.frame)).slice(-2 * AROUND).join('\n')}`);
    throw error;
  }
}

/** Waits until the page has heard all keys so far. */
async function ended(frame: FrameLocator | Page, hands: Hands): Promise<void> {
  const before = Number(await frame.locator('output').getAttribute('data-ends'));
  await hands.press('F8');
  await expect(frame.locator('output')).toHaveAttribute('data-ends', String(before + 1));
}

/** Marks a page once Chromium has painted it: it ignores clicks before. */
const PAINTED = `new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });`;

const pageWith = (html: string): string =>
  `<!doctype html><meta charset="utf-8"><style>
    body{margin:8px;font:16px sans-serif}input,textarea,div[contenteditable]{display:block;width:400px;margin:8px;font:16px sans-serif}
    output{white-space:pre;font:11px monospace;display:block}</style>
  ${html}<output></output><script>${DIARY}${PAINTED}</script>`;

const FIELDS = `<input id="line"><textarea id="area"></textarea><div id="rich" contenteditable style="border:1px solid;min-height:40px"></div>`;

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
    await hands.click({ x: 150, y: 100 });
    await expect(log, address).toHaveText('in ');
    await hands.moveBy(240, -33);
    await expect(frame.locator('#sum'), address).toHaveText('240 -33');
    await hands.moveBy(-1500, 700);
    await expect(frame.locator('#sum'), address).toHaveText('-1260 667');
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
