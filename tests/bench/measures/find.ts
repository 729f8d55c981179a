import { FindBrowser } from '../../../plugins/find/tests/find-page.ts';
import type { FindPage } from '../../../plugins/find/tests/find-page.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';

export const name = 'find';

const ROUNDS = 7;
/** Length of the page's text. */
const UNITS = 1024 * 1024;
const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');
/** Is at the end of the text alone. */
const NEEDLE = 'haystack';

/** Paragraphs of words, every twentieth of them bold. */
function body(): string {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const paragraph = (): string =>
    Array.from({ length: 60 }, () => (random() < 0.05 ? `<b>${word()}</b>` : word())).join(' ');
  let text = '';
  while (text.length < UNITS) text += `<p>${paragraph()}</p>\n`;
  return `<!doctype html><title>Find</title>${text}<p>${NEEDLE}</p>`;
}

/** Time of `window.find`, the browser's own search, which stops at its first match. */
function own(page: FindPage): Promise<number> {
  return page.page.evaluate((text) => {
    document.getSelection()?.removeAllRanges();
    const start = performance.now();
    (window as unknown as { find(text: string): boolean }).find(text); // every browser has it
    const ms = performance.now() - start;
    document.getSelection()?.removeAllRanges();
    return ms;
  }, NEEDLE);
}

/**
 * Searching a megabyte of text, beside the browser's own search in the same page: with the text read for it, as it is when the bar opens,
 * and of what has been read, as with every letter that is typed.
 */
export async function run(): Promise<Row[]> {
  const browser = await FindBrowser.launch();
  try {
    const page = await browser.open(body());
    const rounds: { read: number; again: number; own: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await page.end('clear');
      const read = await page.time(NEEDLE);
      const again = await page.time(NEEDLE);
      if (round > 0) rounds.push({ read, again, own: await own(page) }); // the first one compiles
    }
    const chromium = median(rounds.map((round) => round.own));
    const row = (what: string, vitrine: number): Row => ({ name: what, unit: 'ms', values: { vitrine, chromium } });
    return [
      row('one match at the end of 1 MB, text read', median(rounds.map(({ read }) => read))),
      row('one match at the end of 1 MB, text known', median(rounds.map(({ again }) => again))),
    ];
  } finally {
    await browser.close();
  }
}
