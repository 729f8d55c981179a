import fc from 'fast-check';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../fidelity/browser.ts';
import { compareCss } from './renderer/css-comparison.ts';
import type { Evaluate } from './renderer/css-comparison.ts';
import { sheetTexts, styleTexts } from './renderer/css-texts.ts';
import { attack, attackTimeout } from './renderer/runs.ts';

const CSS_AMOUNT = { cases: 60, minutes: 6 };

/** Texts that are parsed at a time. */
const TOGETHER = 60;
const many = (texts: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc.array(texts, { minLength: 1, maxLength: TOGETHER, size: 'max' });

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
    attack(import.meta.filename, many(sheetTexts), CSS_AMOUNT, async (texts) => {
      expect(await compareCss(evaluate, texts, 'sheet')).toEqual([]);
    }),
);

it('a style attribute means the same before and after', attackTimeout(CSS_AMOUNT), () =>
  attack(import.meta.filename, many(styleTexts), CSS_AMOUNT, async (texts) => {
    expect(await compareCss(evaluate, texts, 'style')).toEqual([]);
  }),
);
