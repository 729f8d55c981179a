import { expect, it, vi } from 'vitest';
import { OP } from '../../ops.ts';
import { SHEET_DEADLINE_MS } from '../sheet-texts.ts';
import { batch, doc, element, harness, received, send, SHEETS, pageMessages, useMirror } from './host-half.ts';

useMirror();

const url = 'https://next.test/';
const late = [doc, element(2, 'link'), [OP.sheet, 2, 2, '/late.css', '', 0]];
const navigate = (frame: number, sameDocument = false): void =>
  harness.hostHooks.navigated.call({ frame, url, sameDocument });
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await harness.flush();
};
const epochs = (): number[][] => received.map(({ frame, batch: { epoch, seq } }) => [frame, epoch, seq]);

it('pending batches of a document are dropped when its frame navigates to another, which is sent whole', async () => {
  await send(1, batch(1, late));
  await send(1, batch(2, [element(3, 'p')]));
  navigate(1);
  await send(1, batch(3, [element(4, 'p')]));
  await pass(SHEET_DEADLINE_MS);
  expect(received).toEqual([]);
  harness.frames.load({ id: 1, url, parent: 0 });
  await send(1, batch(1, [doc], 6));
  await send(1, batch(2, [element(2, 'p')], 6));
  expect(epochs()).toEqual([
    [1, 6, 1],
    [1, 6, 2],
  ]);
  expect(harness.faults).toEqual([]);
});

it('late texts of sheets are dropped when their frame navigates to another document', async () => {
  await send(1, batch(1, late));
  await pass(SHEET_DEADLINE_MS);
  expect(received).toHaveLength(1);
  navigate(1);
  SHEETS['https://site.test/late.css'] = 'l{m:n}';
  await pass(5000);
  delete SHEETS['https://site.test/late.css'];
  expect(received).toHaveLength(1);
});

it('pending batches are sent after a navigation within the document', async () => {
  await send(1, batch(1, late));
  navigate(1, true);
  await pass(SHEET_DEADLINE_MS);
  expect(epochs()).toEqual([[1, 5, 1]]);
});

it('page halves that were held because of pending batches are released once these are dropped', async () => {
  const page = pageMessages(1);
  await send(1, batch(1, late));
  for (let seq = 2; seq <= 65; seq++) await send(1, batch(seq, []));
  expect(page.held).toEqual([true]);
  navigate(1);
  await harness.flush();
  expect(page.held).toEqual([true, false]);
});

it('a document that is reported after its page half has started stays', async () => {
  await send(1, batch(1, [doc, element(9, 'iframe')]));
  harness.frames.own(2, { epoch: 5, node: 9 });
  harness.frames.load({ id: 2, url: '' });
  await send(2, batch(1, [doc], 8));
  navigate(2);
  await send(2, batch(2, [element(2, 'p')], 8));
  expect(epochs().filter(([frame]) => frame === 2)).toEqual([
    [2, 8, 1],
    [2, 8, 2],
  ]);
  navigate(2);
  await send(2, batch(3, [element(3, 'p')], 8));
  expect(received.filter(({ frame }) => frame === 2)).toHaveLength(2);
});
