import { expect, it } from 'vitest';
import { scanView } from '../e2e/support/view-scan.ts';
import { messageAttacks, PAGE_SENT, sendMessages } from './renderer/message-attack.ts';
import { attack, attackTimeout } from './renderer/runs.ts';
import { useHostileStage } from './renderer/stage.ts';

const AMOUNT = { cases: 3, minutes: 15 };
const ATTACKED = `<!doctype html><title>attacked</title><p>hello<iframe srcdoc="<p>inner"></iframe><input>`;

const stage = useHostileStage();

it('knows the messages of page halves, and honest parameters of each', () => {
  expect(PAGE_SENT.length).toBeGreaterThan(10);
  expect(PAGE_SENT.filter(({ samples }) => samples.length === 0)).toEqual([]);
});

it(
  'whatever page halves send: nothing runs or loads at the person’s, the cell lives, others do not notice',
  attackTimeout(AMOUNT),
  async () => {
    const { site, canary } = stage();
    let opened = 0;
    await attack(import.meta.filename, messageAttacks(canary.origin), AMOUNT, async (drawn) => {
      const at = `/attacked${++opened}`;
      site.on(at, ATTACKED);
      const before = stage().cells();
      const page = await stage().open(at);
      const { browser, session } = await stage().tapped(at);
      await sendMessages(browser, session, drawn);
      await stage().expectNoEffect();
      const { violations } = await page.evaluate(scanView, { forbidden: [canary.host], sanitized: true });
      expect(violations).toEqual([]);
      const next = await stage().open('/quiet');
      await next.close();
      await page.close();
      expect(stage().cells()).toEqual(expect.arrayContaining(before));
    });
  },
);
