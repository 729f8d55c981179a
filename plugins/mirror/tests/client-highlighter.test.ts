import { expect, it } from 'vitest';
import type { MarkedBox } from '../../../core/index.ts';
import { DOCUMENT_ID } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { useView } from './view-page.ts';

const view = useView();

/** Marks, in the main document: their texts with their colours, the active ones last, and the boxes that are to be drawn. */
async function marked(
  ends: readonly number[],
  active: readonly number[],
  { epoch = 1, without = false } = {},
): Promise<{ marks: string[]; boxes: readonly MarkedBox[]; cleared: number }> {
  return view().page.evaluate(
    async ([all, one, of, isOld]) => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe[data-vitrine-frame="main"]')!;
      const realm = frame.contentWindow as Window & typeof globalThis;
      if (isOld) Object.defineProperty(realm, 'CSS', { value: {} });
      const highlighter = await window.harness.renderer.highlighter();
      highlighter.set({ frame: 1, epoch: of, ends: all, active: one });
      const registry = (realm.CSS as Partial<typeof CSS>).highlights;
      const marks = [...(registry ?? [])].flatMap(([name, highlight]) =>
        [...highlight].map((range) => {
          const style = realm.getComputedStyle(range.startContainer.parentElement!, `::highlight(${name})`);
          return `${(range as Range).toString()} ${style.backgroundColor}`;
        }),
      );
      const boxes = highlighter.boxes();
      highlighter.clear();
      return { marks, boxes, cleared: (registry?.size ?? 0) + highlighter.boxes().length };
    },
    [ends, active, epoch, without] as const,
  );
}

async function open(): Promise<{ text: number; field: number }> {
  const page = new PageWriter(1);
  page
    .doc()
    .insert(
      DOCUMENT_ID,
      0,
      html([
        h('p', { id: 'p' }, ['some text']),
        h('input', { id: 'field', style: 'position:absolute;left:10px;top:200px;width:100px;height:20px;margin:0' }),
      ]),
    );
  await view().feed(1, page.batch());
  return { text: page.id('p') + 1, field: page.id('field') };
}

const YELLOW = 'rgb(255, 224, 74)';
const ORANGE = 'rgb(255, 150, 50)';

it('marks text by highlights of its own, the active one apart, and leaves what is not there or in a field', async () => {
  const { text, field } = await open();
  const { marks, boxes, cleared } = await marked(
    [text, 0, text, 4, text, 5, text, 99, 999, 0, 999, 1, field, 0, field, 2],
    [text, 5, text, 9],
  );
  expect(marks).toEqual([`some ${YELLOW}`, `text ${ORANGE}`]);
  expect(boxes).toHaveLength(1);
  expect(boxes[0]).toMatchObject({ x: 10, y: 200, isActive: false });
  expect(cleared).toBe(0);
});

it('marks nothing in a document that has gone', async () => {
  const { text } = await open();
  expect(await marked([text, 0, text, 4], [], { epoch: 2 })).toEqual({ marks: [], boxes: [], cleared: 0 });
});

it('leaves all to be drawn in browsers without highlights', async () => {
  const { text } = await open();
  const { marks, boxes } = await marked([text, 0, text, 4], [text, 5, text, 9], { without: true });
  expect(marks).toEqual([]);
  expect(boxes.map(({ isActive }) => isActive)).toEqual([true, false]);
  expect(boxes[1]!.width).toBeGreaterThan(10);
});
