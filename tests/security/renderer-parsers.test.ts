import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../fidelity/browser.ts';
import { compareCss } from './renderer/css-comparison.ts';
import type { Evaluate } from './renderer/css-comparison.ts';
import { sheetTexts, styleTexts } from './renderer/css-texts.ts';
import { attack, attackTimeout } from './renderer/runs.ts';

const CSS_AMOUNT = { cases: 1200, minutes: 6 };

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(() => browser.close());
const evaluate: Evaluate = (body, argument) => page.evaluate(body as never, argument as never);

it(
  'a style sheet means the same to Chromium’s parser before and after it is sanitized, but for its addresses',
  attackTimeout(CSS_AMOUNT),
  () =>
    attack(import.meta.filename, sheetTexts, CSS_AMOUNT, async (text) => {
      expect(await compareCss(evaluate, text, 'sheet')).toEqual([]);
    }),
);

it('a style attribute means the same before and after', attackTimeout(CSS_AMOUNT), () =>
  attack(import.meta.filename, styleTexts, CSS_AMOUNT, async (text) => {
    expect(await compareCss(evaluate, text, 'style')).toEqual([]);
  }),
);
