import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { scanView } from '../e2e/support/view-scan.ts';
import { compareMarkup } from './renderer/markup-comparison.ts';
import { markupTexts } from './renderer/markup-texts.ts';
import { attack, attackTimeout } from './renderer/runs.ts';
import { COMPUTED, snapshot } from './renderer/snapshot.ts';
import type { Seen } from './renderer/snapshot.ts';
import { useHostileStage } from './renderer/stage.ts';
import { worldsOf } from './renderer/worlds.ts';

const AMOUNT = { cases: 6, minutes: 10 };
/** Time after which the view is not going to be like the page any more, in ms. */
const ALIKE_MS = PATIENCE_MS;
const MAIN = 'iframe[data-vitrine-frame="main"]';

const stage = useHostileStage();

it(
  'what Chromium’s parser makes of hostile markup is in the view as far as it is allowed, and nothing else',
  attackTimeout(AMOUNT),
  async () => {
    const { site, canary } = stage();
    let opened = 0;
    await attack(import.meta.filename, markupTexts(canary.origin), AMOUNT, async (text) => {
      const at = `/markup${++opened}-`;
      site.on(at, text);
      const page = await stage().open(at);
      const { browser, session } = await stage().tapped(at);
      const [contextId] = worldsOf(browser, session);
      const expression = `(${snapshot.toString()})(${JSON.stringify({ computed: COMPUTED })})`;
      let differences: string[] = [];
      for (const end = performance.now() + ALIKE_MS; ; await delay(50)) {
        const evaluated = browser.command<{ result: { value: Seen[] } }>(session, 'Runtime.evaluate', {
          expression,
          contextId,
          returnByValue: true,
        });
        differences = compareMarkup(
          (await evaluated).result.value,
          await page.evaluate(snapshot, { view: MAIN, computed: COMPUTED }),
        );
        if (differences.length === 0 || performance.now() > end) break;
      }
      expect(differences).toEqual([]);
      const { violations } = await page.evaluate(scanView, { forbidden: [canary.host], sanitized: true });
      expect(violations).toEqual([]);
      await page.close();
      await stage().expectNoEffect();
    });
  },
);
