import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Editing, Renderer, ViewSelection } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { reportOf, reportSelections } from '../client/report.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { pageSelection } from '../protocol.ts';
import type { Why } from '../protocol.ts';

const of = (what: ViewSelection['what']): ViewSelection => ({ frame: 1, epoch: 3, what });

it('[S-044] is one of four: in a control, between two points, a caret, or nothing', () => {
  expect(reportOf(of({ control: 5, start: 1, end: 2 }))).toEqual({
    ...{ mode: 'input', epoch: 3, uid: 5, selection_start: 1, selection_end: 2 },
  });
  const range = { anchor: [7, 4], focus: [6, 1], isBackward: true, active: 9 } as const;
  expect(reportOf(of(range))).toEqual({
    ...{ mode: 'range', epoch: 3, start_container: 6, start_offset: 1, end_container: 7, end_offset: 4 },
    ...{ active_element: 9, is_backward: true },
  });
  expect(reportOf(of('caret'))).toEqual({ mode: 'clear', epoch: 3 });
  expect(reportOf(of('nothing'))).toEqual({ mode: 'clearselection', epoch: 3 });
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Reports the selection of a document that a test plays. Without an answer of the page the host takes none. */
async function start(why?: Why | (() => Why), press?: Event) {
  const harness = pluginHarness(manifest);
  const { client, host, page, flush } = harness;
  const asked: unknown[] = [];
  page.in(1).handle(pageSelection, ({ selected }) => {
    asked.push(selected);
    return { why: typeof why === 'function' ? why() : (why ?? '') };
  });
  if (why !== undefined) await activate(host);
  let shown: ViewSelection | undefined = of('nothing');
  const document = new EventTarget() as Document;
  const renderer = { documents: (each: (view: unknown) => () => void) => each({ frame: 1, document }) };
  const editing = { selection: () => shown } as Partial<Editing> as Editing;
  reportSelections(client, renderer as unknown as Renderer, editing, press);
  const pass = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let time = 0; time < 4; time += 1) {
      await flush();
      await host.input.handled();
      await vi.advanceTimersByTimeAsync(0);
    }
  };
  const select = (next: ViewSelection | undefined): void => {
    shown = next;
    document.dispatchEvent(new Event('selectionchange'));
  };
  return { ...harness, asked, pass, select, press: (type: string) => document.dispatchEvent(new Event(type)) };
}

it('[S-149] that the page cannot have reports tc-sel-range-error, and is not sent again', async () => {
  const { asked, events, pass, select } = await start('node');
  await pass(20);
  expect(events.map(({ name, data }) => [name, data])).toMatchObject([
    ['tc-sel-range-error', { mode: 'clearselection', why: 'node' }],
  ]);
  select(of('nothing'));
  await pass(20);
  expect(asked).toHaveLength(1);
  select(of('caret'));
  await pass(20);
  expect(asked).toHaveLength(2);
});

it('[S-044] that the page could not have is sent again once it has had another one', async () => {
  const whys: Why[] = ['', 'node', '', ''];
  const { asked, pass, select } = await start(() => whys.shift() ?? '');
  await pass(20); // that of the beginning
  asked.splice(0);
  const control = of({ control: 4, start: 0, end: 2 });
  for (const each of [control, of('caret'), control]) {
    select(each);
    await pass(20);
  }
  expect(asked).toMatchObject([{ mode: 'input' }, { mode: 'clear' }, { mode: 'input' }]);
});

it('is not sent while a button is held that went down before it was made, and this was loaded', async () => {
  const { asked, pass, select, press } = await start('', new Event('pointerdown'));
  select(of({ control: 4, start: 0, end: 2 }));
  await pass(5000);
  expect(asked).toEqual([]);
  press('pointerup');
  await pass(5000);
  expect(asked).toHaveLength(1);
});

it('[S-149] that does not reach the page reports tc-sel-range-error, too', async () => {
  const { asked, events, pass, select } = await start();
  select(of({ control: 4, start: 0, end: 2 }));
  await pass(20);
  expect(asked).toEqual([]);
  expect(events).toMatchObject([{ name: 'tc-sel-range-error', data: { mode: 'input', why: 'channel' } }]);
});

it('is sent once for many changes in one frame, and not while the page makes it by itself', async () => {
  const { asked, pass, select, press } = await start('');
  await pass(20);
  asked.splice(0);
  for (let end = 1; end <= 100; end += 1) select(of({ control: 4, start: 0, end }));
  await pass(20);
  expect(asked).toEqual([expect.objectContaining({ selection_end: 100 })]);
  press('pointerdown');
  select(of('caret'));
  await pass(5000);
  expect(asked).toHaveLength(1);
  press('pointerup');
  await pass(2000);
  expect(asked).toHaveLength(1);
  select(undefined); // the page has it by now
  await pass(3000);
  expect(asked).toHaveLength(1);
});
