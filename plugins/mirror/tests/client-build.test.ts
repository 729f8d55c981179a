import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DOCUMENT_ID, NAMESPACE } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { launch, ViewPage } from './view-page.ts';

let browser: Browser;
let view: ViewPage;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  view = await ViewPage.open(browser);
});
afterEach(async () => {
  expect(view.errors).toEqual([]);
  await view.close();
});

const svg = { namespace: NAMESPACE.svg };

it('[M-001] builds a document from its first batch: elements of all namespaces, attributes, text', async () => {
  const page = new PageWriter(7);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('p', { id: 'p', class: 'a b', 'data-x': '1' }, ['Hello ', h('b', {}, ['world'])]),
        h(
          'svg',
          { id: 's', viewBox: '0 0 10 10' },
          [h('linearGradient', { id: 'g' }, [], svg), h('use', { 'xlink:href': '#g' }, [], svg)],
          svg,
        ),
        h('math', {}, [h('mi', {}, ['x'], { namespace: NAMESPACE.mathml })], { namespace: NAMESPACE.mathml }),
        h('o:p', {}, ['office']),
        h('a', { href: '/https://site.test/next', id: 'a' }, ['next']),
      ]),
    );
  await view.feed(1, page.batch());
  const main = await view.main();
  expect(await main.evaluate(() => document.documentElement.outerHTML)).toBe(
    '<html><head></head><body id="body"><p id="p" class="a b" data-x="1">Hello <b>world</b></p>' +
      '<svg id="s" viewBox="0 0 10 10"><linearGradient id="g"></linearGradient><use xlink:href="#g"></use></svg>' +
      '<math><mi>x</mi></math><o:p>office</o:p><a href="/https://site.test/next" id="a">next</a></body></html>',
  );
  expect(
    await main.evaluate(() => [
      document.querySelector('use')?.href.baseVal,
      document.querySelector('math')?.namespaceURI,
    ]),
  ).toEqual(['#g', 'http://www.w3.org/1998/Math/MathML']);
  expect(await view.page.evaluate(() => window.harness.sent)).toEqual([
    { name: 'mirror.applied', params: { frame: 1, epoch: 7, seq: 1 } },
  ]);
});
