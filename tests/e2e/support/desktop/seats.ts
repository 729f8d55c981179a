import type { BrowserContext, FrameLocator, Page } from 'playwright/test';
import { DIARY, markedText } from './diary.ts';
import { startDesktop } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { Hands } from './hands.ts';
import type { Point } from './hands.ts';
import { installDesktop } from './packages.ts';
import { loaded } from '../loaded.ts';
import { expect, shown, test as base, view } from '../vitrine.ts';

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

/** Tests of somebody at a real keyboard, with a real mouse, in front of a browser with windows. */
export const test = base.extend<
  { readonly compare: Compare },
  {
    /** Whether the desktop has input methods; the test selects one. */
    readonly inputMethods: boolean;
    readonly desktop: Desktop;
    readonly browserOfPerson: BrowserContext;
  }
>({
  inputMethods: [false, { option: true, scope: 'worker' }],
  desktop: [
    async ({ inputMethods }, use) => {
      const missing = installDesktop(inputMethods);
      expect(missing, 'packages of Debian that are missing and cannot be installed').toEqual([]);
      const desktop = await startDesktop(inputMethods);
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
export const PAINTED = `new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });`;

/** A page with a diary of what is done in it. */
export const pageWith = (html: string): string =>
  `<!doctype html><meta charset="utf-8"><style>
    body{margin:8px;font:16px sans-serif}input,textarea,div[contenteditable]{display:block;width:400px;margin:8px;font:16px sans-serif}
    output{white-space:pre;font:11px monospace;display:block}</style>
  ${html}<output></output><script>${DIARY}${PAINTED}</script>`;

/** A line of text, several lines and rich text. */
export const FIELDS = `<input id="line"><textarea id="area"></textarea><div id="rich" contenteditable style="border:1px solid;min-height:40px"></div>`;
