import type { FrameLocator } from 'playwright/test';
import { Shaper } from '../../faults/shaper.ts';
import { loaded } from './loaded.ts';
import { expect, shown, test as base, view } from './vitrine.ts';

/** Delay of the line, one way, in ms. */
const ONE_WAY_MS = 300;

/** A page that shows in its `<output>` the text that its field has, as the surrogate sees it. */
export const withText = (body: string, script = ''): string =>
  `<!doctype html><style>body{margin:8px;font:16px sans-serif}</style>${body}<output></output><script>
    const field = document.querySelector('input, textarea, [contenteditable]');
    const say = () => { document.querySelector('output').textContent = '<' + (field.value ?? field.textContent) + '>'; };
    ${script}
    addEventListener('input', say);</script>`;

/** A page that writes what is typed into its field in capitals. */
export const UPPER = withText('<input>', 'field.oninput = () => { field.value = field.value.toUpperCase(); };');

/** The largest number that a message has in this place. */
const last = (payload: string | Buffer, pattern: RegExp): number =>
  Math.max(0, ...Array.from(payload.toString().matchAll(pattern), ([, seq]) => Number(seq)));

/** A page over a slow line. */
interface Far {
  readonly link: Shaper;
  /** Does something, and waits until the client has the page's answer to it: keys are shown at once again. */
  readonly answered: (act: () => Promise<unknown>) => Promise<void>;
  /** Opens a page, once everything that types is there. */
  readonly far: (path: string) => Promise<FrameLocator>;
}

/** The tests' entry for pages over a slow line. */
export const test = base.extend<Far>({
  link: async ({ vitrine }, use) => {
    const link = await Shaper.start(Number(new URL(vitrine).port));
    await use(link);
    await link.close();
  },
  answered: async ({ page }, use) => {
    const acts = { asked: 0, answered: 0 };
    page.on('websocket', (socket) => {
      acts.asked = acts.answered = 0; // each document counts anew
      socket.on('framesent', ({ payload }) => {
        acts.asked = Math.max(acts.asked, last(payload, /"seq":(\d+),"isRich"/g));
      });
      socket.on('framereceived', ({ payload }) => {
        acts.answered = Math.max(acts.answered, last(payload, /"seq":(\d+),"is_exact"/g));
      });
    });
    await use(async (act) => {
      const before = acts.asked;
      await act();
      let asked = before;
      /** Whether all is answered, and nothing more has been asked since the last look: one act may ask several times. */
      const isOver = (): boolean => {
        const isSame = acts.asked === asked;
        asked = acts.asked;
        return isSame && asked > before && acts.answered >= asked;
      };
      await expect.poll(isOver).toBe(true);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    });
  },
  far: async ({ answered, link, page, site }, use) => {
    await use(async (path) => {
      await page.goto(`${link.origin}/${site.origin}${path}`);
      await shown(page);
      const frame = view(page);
      await answered(async () => {
        await frame.locator('input, textarea, [contenteditable]').first().click();
        await loaded(page, 'local-echo.start');
      });
      link.delayMs = ONE_WAY_MS;
      return frame;
    });
  },
});

/** The text of the field as the person sees it now. */
export const seen = (frame: FrameLocator): Promise<string> =>
  frame
    .locator('input, textarea, [contenteditable]')
    .first()
    .evaluate((field) => ('value' in field ? String(field.value) : field.textContent).replaceAll('\u00a0', ' '));
/** The text that the page has in its field. */
export const ofPage = (frame: FrameLocator, text: string): Promise<void> =>
  expect(frame.locator('output')).toHaveText(`<${text}>`);
