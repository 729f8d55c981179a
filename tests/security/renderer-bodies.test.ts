import type { Request, Response } from 'playwright';
import { expect, it } from 'vitest';
import { scanView } from '../e2e/support/view-scan.ts';
import { answerWith, bodies } from './renderer/bodies.ts';
import { useOf, wrongOfResource } from './renderer/body-page.ts';
import { attack, attackTimeout } from './renderer/runs.ts';
import { until, useHostileStage } from './renderer/stage.ts';

const AMOUNT = { cases: 3, minutes: 15 };
const MAIN = 'iframe[data-vitrine-frame="main"]';
/** A picture that must come through whatever the others are. */
const LAST = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const stage = useHostileStage();

it(
  'whatever bodies a site answers with: people get checked types without effects, the cell lives, others do not notice',
  attackTimeout(AMOUNT),
  async () => {
    const { site, canary, context } = stage();
    const responses: Response[] = [];
    const asked = new Set<Request>();
    context.on('request', (request) => new URL(request.url()).pathname.startsWith('/c/') && asked.add(request));
    context.on('requestfinished', (request) => asked.delete(request));
    context.on('requestfailed', (request) => asked.delete(request));
    context.on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/c/')) responses.push(response);
    });
    site.on('/last.gif', (_request, response) => response.writeHead(200, { 'content-type': 'image/gif' }).end(LAST));
    let opened = 0;
    let files = 0;
    await attack(import.meta.filename, bodies, AMOUNT, async (drawn) => {
      const at = `/bodies${++opened}-`;
      asked.clear();
      const uses = drawn.map(({ body, use }, number) => {
        site.on(`${at}/${number}`, (_request, response) => answerWith(body, canary.origin, response));
        return useOf(use, `${at}/${number}`, number);
      });
      site.on(at, `<!doctype html><title>bodies</title>${uses.join('\n')}<p>A</p><img id="last" src="/last.gif">`);
      const before = stage().cells();
      const page = await stage().open(at);
      await until('the last picture', () => page.evaluate(hasLast, MAIN).then((has) => has || undefined));
      await until('the answers for the others', () => Promise.resolve(asked.size === 0 || undefined));
      const wrong: string[] = [];
      for (const response of responses.splice(0)) {
        if (response.status() !== 200) continue;
        const bytes = await response.body().catch(() => undefined); // the page has been left meanwhile
        if (!bytes) continue;
        files++;
        wrong.push(...wrongOfResource(await response.allHeaders(), bytes).map((what) => `${response.url()}: ${what}`));
      }
      expect(wrong).toEqual([]);
      const { violations } = await page.evaluate(scanView, { forbidden: [canary.host], sanitized: true });
      expect(violations).toEqual([]);
      await stage().expectNoEffect();
      await page.close();
      expect(stage().cells()).toEqual(expect.arrayContaining(before));
    });
    expect(files).toBeGreaterThan(AMOUNT.cases);
  },
);

/** Whether the view shows the last picture. Runs in the shell. */
function hasLast(view: string): boolean {
  const shown = document
    .querySelector<HTMLIFrameElement>(view)
    ?.contentDocument?.querySelector<HTMLImageElement>('#last');
  return shown?.complete === true && shown.naturalWidth === 1;
}
