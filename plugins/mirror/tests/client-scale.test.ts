import { expect, it } from 'vitest';
import type { Batch } from '../ops.ts';
import { DOCUMENT_ID, OP, OWN_SHEET_UNITS } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import type { Node as Content } from './page-writer.ts';
import { useView } from './view-page.ts';

const view = useView();

/** Inserts content before the last element of a page, as one op; returns the sizes of the portions, counted by elements of a name. */
async function arriving(content: readonly Content[], name: string): Promise<number[]> {
  const page = new PageWriter(1);
  page.doc().insert(DOCUMENT_ID, 0, html([h('div', { id: 'root' }, [h('hr', { id: 'end' })])]));
  await view().feed(1, page.batch());
  page.insert(page.id('root'), page.id('end'), ...content);
  return view().page.evaluate(
    async ([text, wanted]) => {
      const shown = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')?.contentDocument;
      if (!shown) throw new Error('there is no view');
      const counts: number[] = [];
      const observer = new MutationObserver((records) => {
        for (const { addedNodes } of records)
          counts.push([...addedNodes].filter((node) => (node as Partial<Element>).localName === wanted).length);
      });
      observer.observe(shown, { subtree: true, childList: true });
      window.harness.feed(1, JSON.parse(text) as Batch);
      do await new Promise((resolve) => requestAnimationFrame(resolve));
      while (window.harness.reached.length < 2);
      return counts.filter((count) => count > 0);
    },
    [JSON.stringify(page.batch()), name] as const,
  );
}

const ids = (): Promise<string[]> =>
  view()
    .main()
    .then((main) => main.evaluate(() => [...document.querySelectorAll('#root > *')].map(({ id }) => id)));

it('inserts many nodes in portions, in order, so that layout does not block the browser', async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) => h('p', { id: `${at}`, class: 'row' }, [`${at}`]));
  const counts = await arriving(rows, 'p');
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12_000);
  expect(Math.max(...counts)).toBeLessThanOrEqual(8192 / 2 + 1); // a paragraph is two records
  expect(await ids()).toEqual([...rows.keys(), 'end'].map(String));
});

it('inserts few nodes at once', async () => {
  expect(
    await arriving(
      Array.from({ length: 1000 }, () => h('p', {}, ['x'])),
      'p',
    ),
  ).toEqual([1000]);
});

it('inserts frames a few at a time', async () => {
  const counts = await arriving(
    Array.from({ length: 40 }, (_, at) => h('iframe', { id: `${at}` })),
    'iframe',
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
  expect(Math.max(...counts)).toBeLessThanOrEqual(16 + 1); // one more where the portion, which follows the machine, is no multiple of 16
  expect(await ids()).toHaveLength(41);
});

it('applies the parts of a long sheet as separate sheets, in order and with its media', async () => {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([h('p', { id: 'p' }, ['x'])], [h('style', { id: 'long' }), h('style', { id: 'next' })]),
    )
    .sheet('long', 'p{color:rgb(1,1,1);width:1px;height:1px}', 'screen')
    .sheet('next', 'p{height:3px}');
  const long = `p{color:rgb(2,2,2);width:2px;height:2px}${'.none{top:0}'.repeat(OWN_SHEET_UNITS / 12)}`;
  page.op(OP.append, page.id('long'), page.text(long)).op(OP.append, page.id('long'), page.text('p{width:4px}'));
  await view().feed(1, page.batch());
  const main = await view().main();
  const seen = () =>
    main.evaluate(() => {
      const { color, width, height } = getComputedStyle(document.getElementById('p') as HTMLElement);
      return [color, width, height, ...document.adoptedStyleSheets.map(({ media }) => media.mediaText)];
    });
  expect(await seen()).toEqual(['rgb(2, 2, 2)', '4px', '3px', '', 'screen', 'screen', '']);
  page.sheet('long', 'p{color:rgb(5,5,5)}');
  await view().feed(1, page.batch());
  expect((await seen()).slice(0, 1).concat(String((await seen()).length))).toEqual(['rgb(5, 5, 5)', '6']);
});
